/** Checks which git hosts may be reached, pins their addresses, and passes credentials to git. */
import { chmod, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import ipaddr from "ipaddr.js";
import type { Credentials } from "../../protocol/sources.ts";
import { type GitAddress, movedTo, parseGitAddress } from "../../rules/sources/git-address.ts";
import { noHost } from "../../rules/sources/git-failure.ts";
import { isRefused, type Resolve, resolveAddresses, resolveHost } from "../addresses.ts";
import type { CommandEnvironment } from "../builds/guard.ts";
import { failure, type Git } from "./git-command.ts";

const RESOLVE_MS = 15_000;

export interface RemoteOptions {
  protocols: readonly GitAddress["protocol"][];
  /** Returns whether an address may be connected to; every address may when left out. */
  allowsAddress?: (address: string) => boolean;
  resolve?: Resolve;
  /** True when a proxy resolves host names that this machine cannot resolve. */
  proxied: boolean;
}

export interface Remote {
  address: GitAddress;
  /** The checked addresses of the host; git connects to no others. */
  addresses?: readonly string[];
}

/** Checks an address and pins its host. Throws `StepFailure` for a host that must not be reached from here. */
export async function pinHost(url: string | GitAddress, options: RemoteOptions, signal: AbortSignal): Promise<Remote> {
  const address = typeof url === "string" ? parseGitAddress(url) : url;
  if (!address) {
    const fix = "Write https://host/path, ssh://user@host/path or user@host:path";
    throw failure({ message: "This is not the address of a git repository", fix });
  }
  if (!options.protocols.includes(address.protocol)) {
    const fix = `Write ${options.protocols.map((one) => `${one}://`).join(" or ")}`;
    throw failure({ message: `Sources are not fetched over ${address.protocol} here`, fix });
  }
  const { allowsAddress, proxied, resolve = resolveHost } = options;
  if (!allowsAddress) return { address };
  const { host } = address;
  const addresses = ipaddr.isValid(host) ? [host] : await addressesOf(host, resolve, signal);
  if (addresses === undefined && !proxied) throw failure(noHost(host));
  if (!isRefused(host, addresses ?? [], allowsAddress)) return { address, addresses };
  const fix = "Give the address of a public host, or upload an archive";
  throw failure({ message: `${host} is not a public host: this server does not fetch from there`, fix });
}

async function addressesOf(host: string, resolve: Resolve, signal: AbortSignal): Promise<string[] | undefined> {
  try {
    return await resolveAddresses(host, resolve, AbortSignal.any([signal, AbortSignal.timeout(RESOLVE_MS)]));
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}

/** Returns git's settings for these addresses and credentials. */
export function configOf({ address, addresses }: Remote, credentials: Credentials | undefined): Record<string, string> {
  const { host, port, url } = address;
  const pinned = addresses && !ipaddr.isValid(host) ? addresses.map(bracketed).join(",") : undefined;
  const header = headerOf(credentials);
  return {
    ...(pinned !== undefined && { "http.curloptResolve": `${host}:${port}:${pinned}` }),
    ...(header !== undefined && { [`http.${url}.extraHeader`]: `Authorization: ${header}` }),
  };
}

function bracketed(address: string): string {
  return address.includes(":") ? `[${address}]` : address;
}

function headerOf(credentials: Credentials | undefined): string | undefined {
  if (!credentials || !("token" in credentials)) return undefined;
  // Most hosts accept any name with a token; GitHub's apps need this one.
  const { token, username } = credentials;
  return `Basic ${Buffer.from(`${username ?? "x-access-token"}:${token}`).toString("base64")}`;
}

/** Returns texts that must not appear in a log: the token, and the forms in which it is sent. */
export function secretsOf(credentials: Credentials | undefined): string[] {
  const header = headerOf(credentials);
  if (!credentials || !("token" in credentials) || header === undefined) return [];
  return [credentials.token, encodeURIComponent(credentials.token), header.slice("Basic ".length)];
}

/**
 * Returns the address to which the host redirects a repository; undefined when it does not, or to no repository. Git
 * sends the request, because it knows this machine's proxies and certificates. It does not follow the redirect.
 */
export async function findRedirect(git: Git, { address }: Remote, work: string): Promise<GitAddress | undefined> {
  const trace = join(work, "trace");
  await git(["ls-remote", "--", address.url, "HEAD"], {
    env: { GIT_TRACE_CURL: trace, GIT_TRACE_CURL_NO_DATA: "1", GIT_TRACE_REDACT: "1" },
  });
  const text = await readFile(trace, "utf8").catch(() => "");
  await rm(trace, { force: true });
  const location = [...text.matchAll(/Recv header: location: *(\S+)/gi)].at(-1)?.[1];
  return location === undefined ? undefined : movedTo(address, location);
}

/** Returns whether two addresses have the same host. Credentials go only to the host for which they were given. */
export function isSameHost(a: GitAddress, b: GitAddress): boolean {
  return a.protocol === b.protocol && a.host === b.host && a.port === b.port;
}

export interface SshOptions {
  /** The program; `ssh` when left out. */
  program?: string;
  /** The file of host keys seen before. */
  knownHosts: string;
  /** A private folder for the key. */
  work: string;
}

/** Returns the environment that makes git use this key and none of the machine's settings. */
export async function sshEnvironment(
  { address, addresses }: Remote,
  credentials: Credentials | undefined,
  { program = "ssh", knownHosts, work }: SshOptions,
): Promise<CommandEnvironment> {
  const key = join(work, "deploy-key");
  if (credentials && "deploy_key" in credentials) {
    // Copying leaves Windows line breaks or no line break at the end; ssh accepts neither.
    await writeFile(key, `${credentials.deploy_key.replace(/\r\n?/g, "\n").trim()}\n`, { mode: 0o600 });
    await chmod(key, 0o600);
  }
  // ssh tries a single address.
  const first = addresses?.find((one) => ipaddr.IPv4.isValid(one)) ?? addresses?.[0];
  const { host, port } = address;
  const settings = {
    BatchMode: "yes",
    CheckHostIP: "no",
    ClearAllForwardings: "yes",
    ConnectTimeout: "15",
    ControlMaster: "no",
    ControlPath: "none",
    EscapeChar: "none",
    ForwardAgent: "no",
    GlobalKnownHostsFile: "/dev/null",
    IdentitiesOnly: "yes",
    IdentityAgent: "none",
    IdentityFile: credentials ? sshPath(key) : "none",
    PermitLocalCommand: "no",
    PreferredAuthentications: "publickey",
    ProxyCommand: "none",
    ServerAliveCountMax: "2",
    ServerAliveInterval: "15",
    // The first key that a host shows is trusted, and no other one after that.
    StrictHostKeyChecking: "accept-new",
    UserKnownHostsFile: sshPath(knownHosts),
    ...(first !== undefined && { HostName: first, HostKeyAlias: port === 22 ? host : `[${host}]:${port}` }),
  };
  const words = [
    program,
    "-F",
    "none",
    ...Object.entries(settings).flatMap(([name, value]) => ["-o", `${name}=${value}`]),
  ];
  return { GIT_SSH_COMMAND: words.map(shellQuoted).join(" "), GIT_SSH_VARIANT: "ssh" };
}

/** Quotes a path for ssh's settings. */
function sshPath(path: string): string {
  return `"${path.replaceAll("%", "%%")}"`;
}

/** Quotes a word for the shell to which git gives the command. */
function shellQuoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
