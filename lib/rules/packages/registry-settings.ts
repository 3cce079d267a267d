/** Converts the operator's npm settings for registries into the formats of each package manager. */
import { isObject, type JsonObject } from "../../protocol/json.ts";
import { isScopeKey, isSecretKey } from "./install-config.ts";
import { authorityOf, originTarget, type Proxies, readProxies } from "./proxies.ts";

export interface RegistrySettings {
  /** Settings by npm's names: `registry`, `@scope:registry`, `cafile` and similar ones. */
  plain: Readonly<Record<string, string>>;
  /** Credentials by registry: `//host/path/:_authToken`. */
  secrets: Readonly<Record<string, string>>;
  /** The operator's outgoing proxies, for the install proxy alone, because they may hold a password. */
  proxies: Proxies;
}

const PLAIN = new Set(["registry", "cafile", "strict-ssl"]);
const PROXIES = new Set(["proxy", "https-proxy", "noproxy"]);

/** Reads the settings. `config`: the output of `npm config list --json`. `files`: the texts of its sources. */
export function readRegistrySettings(
  config: unknown,
  files: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): RegistrySettings {
  const plain: Record<string, string> = {};
  const secrets: Record<string, string> = {};
  const proxies: Record<string, string> = {};
  for (const [name, value] of Object.entries(isObject(config) ? config : {})) {
    const text = [value]
      .flat()
      .filter((one) => one === false || (typeof one === "string" && one !== ""))
      .join(",");
    if (text === "" || /[\r\n]/.test(text)) continue;
    if (PROXIES.has(name)) proxies[name] = text;
    else if (PLAIN.has(name) || isScopeKey(name)) plain[name] = text;
  }
  for (const line of files.flatMap((text) => text.split(/\r?\n/))) {
    const [, name = "", value = ""] = /^\s*([^=\s]+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (isSecretKey(name)) secrets[name] = expand(value, environment) ?? "";
  }
  return { plain, secrets, proxies: readProxies(proxies, environment) };
}

/** Returns the registries that the operator has set, as `host:port`. */
export function registryHosts({ plain }: RegistrySettings): Set<string> {
  const urls = Object.entries(plain).filter(([name]) => name === "registry" || isScopeKey(name));
  const hosts = urls.flatMap(([, url]) => originTarget(url) ?? []).map(authorityOf);
  return new Set(hosts.includes(NPMJS) ? [...hosts, YARNPKG] : hosts);
}

/** These are one registry: yarn 1 writes the second name in place of the first. */
const NPMJS = "registry.npmjs.org:443";
const YARNPKG = "registry.yarnpkg.com:443";

/** Replaces `${NAME}` by its value. Undefined when a value is missing. */
export function expand(text: string, values: Readonly<Record<string, string | undefined>>): string | undefined {
  const bare = text.replace(/^(["'])(.*)\1$/, "$2");
  let expanded = "";
  let done = 0;
  let close = -1;
  for (let at = bare.indexOf("${"); at >= 0;) {
    if (close < at) close = bare.indexOf("}", at);
    if (close < 0) break;
    NAME.lastIndex = at + 2;
    const name = NAME.exec(bare)?.[0] ?? "";
    const next = at + 2 + name.length;
    const otherwise = name === "" ? undefined : afterName(bare.slice(next, close));
    // Search again after the name, because another reference may begin there.
    if (otherwise === undefined) at = bare.indexOf("${", next);
    else {
      const value = values[name] ?? otherwise.text;
      if (value === undefined) return undefined;
      expanded += bare.slice(done, at) + value;
      done = close + 1;
      at = bare.indexOf("${", done);
    }
  }
  return expanded + bare.slice(done);
}

const NAME = /[^}?:-]*/y;

/** Reads the text after a variable's name: nothing, `?`, or `-` or `:-` and a default. Undefined for anything else. */
function afterName(text: string): { text?: string } | undefined {
  if (text === "" || text === "?") return {};
  const dash = text.startsWith(":-") ? 2 : text.startsWith("-") ? 1 : 0;
  return dash === 0 ? undefined : { text: text.slice(dash) };
}

/** Expands line by line and drops lines whose value is missing, because package managers fail on them. */
export function expandLines(text: string, values: Readonly<Record<string, string | undefined>>): string {
  const kept = text.split("\n").map((line) => (line.includes("${") ? expand(line, values) : line));
  return kept.filter((line) => line !== undefined).join("\n");
}

/** Returns an .npmrc for npm, pnpm, yarn 1 and bun. */
export function npmrcOf({ plain, secrets }: RegistrySettings, withSecrets: boolean): string {
  const members = Object.entries(withSecrets ? { ...plain, ...secrets } : plain);
  return members.map(([name, value]) => `${name}=${value}\n`).join("");
}

/** Returns a .yarnrc.yml for yarn 2 and later. JSON is valid YAML. */
export function yarnrcOf({ plain, secrets }: RegistrySettings, withSecrets: boolean): string {
  const { registry, cafile, "strict-ssl": strict } = plain;
  const scopes = Object.entries(plain).flatMap(([name, url]) => {
    const scope = /^@(.*):registry$/.exec(name)?.[1];
    return scope === undefined ? [] : [[scope, { npmRegistryServer: url }] as const];
  });
  const open = [registry, ...scopes.map(([, { npmRegistryServer }]) => npmRegistryServer)].flatMap((url) => {
    const host = url === undefined ? undefined : /^http:\/\/([^/:]+)/.exec(url)?.[1];
    return host === undefined ? [] : [host];
  });
  return JSON.stringify({
    enableTelemetry: false,
    ...(registry !== undefined && { npmRegistryServer: registry.replace(/\/$/, "") }),
    ...(cafile !== undefined && { httpsCaFilePath: cafile }),
    ...(strict === "false" && { enableStrictSsl: false }),
    ...(scopes.length > 0 && { npmScopes: Object.fromEntries(scopes) }),
    ...(open.length > 0 && { unsafeHttpWhitelist: open }),
    ...(withSecrets && {
      npmRegistries: registriesOf(secrets),
    }),
  });
}

function registriesOf(secrets: RegistrySettings["secrets"]): JsonObject {
  const registries: Record<string, Record<string, string | boolean>> = {};
  for (const [name, value] of Object.entries(secrets)) {
    const [, host = "", kind = ""] = /^(\/\/.*?)\/?:(\w+)$/.exec(name) ?? [];
    if (host === "") continue;
    const own = (registries[host] ??= { npmAlwaysAuth: true });
    if (kind === "_authToken") own.npmAuthToken = value;
    if (kind === "_auth") own.npmAuthIdent = value;
    const password = secrets[name.replace(/username$/, "_password")];
    if (kind === "username" && password !== undefined) own.npmAuthIdent = `${value}:${fromBase64(password)}`;
  }
  return registries;
}

function fromBase64(text: string): string {
  try {
    return atob(text);
  } catch {
    return text;
  }
}

/** Returns the variables that name trusted certificates, for every process that an install starts. */
export function certificateEnvironment(
  { plain }: RegistrySettings,
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const known = CERTIFICATES.flatMap((name) => {
    const value = environment[name];
    return value === undefined || value === "" ? [] : [[name, value] as const];
  });
  return { ...(plain.cafile !== undefined && { NODE_EXTRA_CA_CERTS: plain.cafile }), ...Object.fromEntries(known) };
}

const CERTIFICATES = ["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "SSL_CERT_DIR", "GIT_SSL_CAINFO"];

/**
 * Returns variables that send all traffic of an install to one proxy: package managers, scripts and git. Variables
 * override a project's own settings. Git over ssh would bypass the proxy, but no install has an ssh key.
 */
export function proxyEnvironment(proxy: string): Record<string, string> {
  const names = ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"];
  const settings = ["npm_config_proxy", "npm_config_https_proxy", "YARN_HTTP_PROXY", "YARN_HTTPS_PROXY"];
  const git = { "http.proxy": proxy, "http.proxyAuthMethod": "basic" };
  return {
    ...Object.fromEntries([...names, ...settings].map((name) => [name, proxy])),
    NO_PROXY: "",
    no_proxy: "",
    npm_config_noproxy: "",
    // Node.js itself uses the proxy when a script downloads files.
    NODE_USE_ENV_PROXY: "1",
    GIT_ALLOW_PROTOCOL: "https",
    GIT_TERMINAL_PROMPT: "0",
    GIT_CONFIG_COUNT: String(Object.keys(git).length),
    ...Object.fromEntries(
      Object.entries(git).flatMap(([key, value], n) => [
        [`GIT_CONFIG_KEY_${n}`, key],
        [`GIT_CONFIG_VALUE_${n}`, value],
      ]),
    ),
  };
}
