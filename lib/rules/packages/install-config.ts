/**
 * Filters a project's own settings before its package manager reads them. They come with unreviewed code, and some of
 * them name programs to run or folders to write to. Only settings pass that decide where packages come from and how
 * they are laid out.
 */
import { isObject, type JsonObject } from "../../protocol/json.ts";

/** Settings and variable files, which package managers read wherever they find them. */
const SETTINGS =
  /^(?:\.npmrc|\.yarnrc|\.yarnrc\.ya?ml|\.?pnpmfile\.[cm]?js|\.?bunfig\.toml|pnpm-workspace\.ya?ml|\.env|\.env\..*)$/i;

/** Returns whether a file is a package manager's settings file, which is never copied as part of a package. */
export function isSettingsFile(name: string): boolean {
  return SETTINGS.test(name);
}

const NPMRC = new Set([
  "registry",
  "legacy-peer-deps",
  "strict-peer-deps",
  "strict-peer-dependencies",
  "auto-install-peers",
  "dedupe-peer-dependents",
  "exclude-links-from-lockfile",
  "hoist",
  "hoist-pattern",
  "hoist-workspace-packages",
  "install-links",
  "install-strategy",
  "inject-workspace-packages",
  "link-workspace-packages",
  "prefer-workspace-packages",
  "public-hoist-pattern",
  "peers-suffix-max-length",
  "resolution-mode",
  "shamefully-hoist",
  "shared-workspace-lockfile",
  "supported-architectures",
]);
const PNPM = new Set(["catalog", "catalogs", "nodeLinker", "overrides", "packageExtensions", "packages"]);
const PNPM_TOO = [
  "allowedDeprecatedVersions",
  "ignoredOptionalDependencies",
  "patchedDependencies",
  "peerDependencyRules",
  ...[...NPMRC].map((name) => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())),
];
const YARN = new Set([
  "catalog",
  "catalogs",
  "compressionLevel",
  "defaultProtocol",
  "enableTransparentWorkspaces",
  "nmHoistingLimits",
  "npmRegistryServer",
  "packageExtensions",
  "supportedArchitectures",
]);
/** Settings that hold tokens, or may hold them. */
const YARN_SECRETS = new Set(["npmAlwaysAuth", "npmAuthIdent", "npmAuthToken", "npmRegistries", "npmScopes"]);
/** Matches layouts that put packages where Node looks for them. */
const LINKERS = /^(?:node-?linker)\b.*\b(?:hoisted|isolated)\b/i;

/** Returns the lines of an .npmrc that set registries, their tokens (only `withSecrets`) and the package layout. */
export function keptNpmrc(text: string, withSecrets: boolean): string {
  const kept = lines(text).filter((line) => {
    const name = /^\s*([^=\s[\]]+?)(?:\[\])?\s*=/.exec(line)?.[1] ?? "";
    if (isSecretKey(name)) return withSecrets;
    return NPMRC.has(name) || isScopeKey(name) || (name === "node-linker" && LINKERS.test(line.trim()));
  });
  return kept.map((line) => `${line}\n`).join("");
}

/** Returns whether a setting names the registry of a scope. */
export function isScopeKey(name: string): boolean {
  return /^@[\w.~-]+:registry$/.test(name);
}

/** Returns whether a setting holds credentials of a registry: `//host/path/:_authToken`. */
export function isSecretKey(name: string): boolean {
  return /^\/\/[^\s]+:(?:_authToken|_auth|username|_password|email)$/.test(name);
}

export function keptPnpmWorkspace(text: string): string {
  const known = new Set([...PNPM, ...PNPM_TOO]);
  return keptYaml(text, (name, line) => known.has(name) && (name !== "nodeLinker" || LINKERS.test(line)));
}

/** Returns the settings of a workspace that has these members alone. */
export function pnpmWorkspaceOf(text: string, members: readonly string[]): string {
  const rest = keptYaml(keptPnpmWorkspace(text), (name) => name !== "packages");
  return `packages:\n${(members.length > 0 ? members : ["."]).map((path) => `  - ${JSON.stringify(path)}\n`).join("")}${rest}`;
}

/** Returns whether an override refers to a dependency of the workspace's root package: `"zod": "$zod"`. */
export function pointsAtBase({ pnpm }: JsonObject, workspace: string): boolean {
  const set = isObject(pnpm) && isObject(pnpm.overrides) ? Object.values(pnpm.overrides) : [];
  return set.some((one) => typeof one === "string" && one.startsWith("$")) || /:[ \t]+['"]?\$/.test(workspace);
}

export function keptYarnrc(text: string, withSecrets: boolean): string {
  return keptYaml(text, (name) => YARN.has(name) || (withSecrets && YARN_SECRETS.has(name)));
}

/**
 * Returns the chosen top-level members of a YAML text, each with its indented lines. A member begins at the start of a
 * line and has a plain name; members that are written in any other way are dropped.
 */
function keptYaml(text: string, keep: (name: string, line: string) => boolean): string {
  let kept = "";
  let keeping = false;
  for (const line of lines(text.trimEnd())) {
    if (/^[^\s#]/.test(line) && !(keeping && /^-\s/.test(line))) {
      const name = /^([A-Za-z]\w*):(?:\s|$)/.exec(line)?.[1];
      keeping = name !== undefined && keep(name, line);
    }
    if (keeping) kept += `${line}\n`;
  }
  return kept;
}

function lines(text: string): string[] {
  return text.split(/\r\n|\r|\n/);
}

/** Members of a package.json that decide what is installed, and how. */
const MANIFEST = [
  "name",
  "version",
  "private",
  "type",
  "main",
  "exports",
  "bin",
  "os",
  "cpu",
  "libc",
  "workspaces",
  "dependencies",
  "devDependencies",
  "optionalDependencies",
  "peerDependencies",
  "peerDependenciesMeta",
  "dependenciesMeta",
  "bundleDependencies",
  "bundledDependencies",
  "overrides",
  "resolutions",
  "installConfig",
  "catalog",
  "catalogs",
  "patchedDependencies",
  "trustedDependencies",
];
const PNPM_IN_MANIFEST = ["overrides", "packageExtensions", "patchedDependencies", "peerDependencyRules"];

/** Returns a package.json with only the members that affect an installation. Its own scripts are never run. */
export function keptManifest(manifest: JsonObject): JsonObject {
  const kept = pick(manifest, MANIFEST);
  return isObject(manifest.pnpm) ? { ...kept, pnpm: pick(manifest.pnpm, PNPM_IN_MANIFEST) } : kept;
}

/** Removes `built: true`: yarn runs the scripts of such a package even when scripts are disabled. */
export function withoutBuilt(manifest: JsonObject): JsonObject {
  const { dependenciesMeta } = manifest;
  if (!isObject(dependenciesMeta)) return manifest;
  const entries = Object.entries(dependenciesMeta).map(([name, about]) => {
    if (!isObject(about) || about.built === false) return [name, about] as const;
    const { built: _, ...rest } = about;
    return [name, rest] as const;
  });
  return { ...manifest, dependenciesMeta: Object.fromEntries(entries) };
}

function pick(object: JsonObject, names: readonly string[]): JsonObject {
  const own = names.filter((name) => Object.hasOwn(object, name));
  return Object.fromEntries(own.map((name) => [name, object[name]]));
}
