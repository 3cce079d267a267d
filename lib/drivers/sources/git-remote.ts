/** The way to a git host: which may be gone at all, to which addresses, with what to show at the door. */
import { chmod, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import ipaddr from "ipaddr.js";
import type { Credentials } from "../../protocol/sources.ts";
import { type GitAddress, movedTo, parseGitAddress } from "../../rules/sources/git-address.ts";
import { noHost } from "../../rules/sources/git-failure.ts";
import { type Resolve, resolveAddresses, resolveHost } from "../addresses.ts";
import type { CommandEnvironment } from "../builds/guard.ts";
import { failure, type Git } from "./git-command.ts";

const ANSWER_MS = 15_000;

export interface RemoteOptions {
  protocols: readonly GitAddress["protocol"][];
  /** Whether an address may be gone to; all when left out. */
  allowsAddress?: (address: string) => boolean;
  resolve?: Resolve;
  /** A proxy asks for names in our place, where they can't be asked for here. */
  proxied: boolean;
}

export interface Remote {
  address: GitAddress;
  /** Where its host leads, when that was looked at: git is to go nowhere else. */
  addresses?: readonly string[];
}

/** Throws `StepFailure` for what is not to be reached from here. */
export async function reach(url: string | GitAddress, options: RemoteOptions, signal: AbortSignal): Promise<Remote> {
  const address = typeof url === "string" ? parseGitAddress(url) : url;
  if (!address) {
    const fix = "Write https://host/path, ssh://user@host/path or user@host:path";
    throw failure({ message: "This is no address of a git repository", fix });
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
  const strange = addresses?.find((one) => !allowsAddress(one)) ?? (isHere(host) ? host : undefined);
  if (strange === undefined) return { address, addresses };
  const fix = "Give the address of a public host, or upload an archive";
  throw failure({ message: `${host} is not a public host: this server does not fetch from there`, fix });
}

function isHere(host: string): boolean {
  return /(^|\.)localhost\.?$/.test(host);
}

async function addressesOf(host: string, resolve: Resolve, signal: AbortSignal): Promise<string[] | undefined> {
  try {
    return await resolveAddresses(host, resolve, AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]));
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}

/** For git: go to these addresses, and show this. */
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
  // Most hosts take any name beside a token; GitHub's applications want this one.
  const { token, username } = credentials;
  return `Basic ${Buffer.from(`${username ?? "x-access-token"}:${token}`).toString("base64")}`;
}

/** What must not be read in a log: the token, and what is sent of it. */
export function secretsOf(credentials: Credentials | undefined): string[] {
  const header = headerOf(credentials);
  if (!credentials || !("token" in credentials) || header === undefined) return [];
  return [credentials.token, encodeURIComponent(credentials.token), header.slice("Basic ".length)];
}

/**
 * Where a repository is said to have moved; undefined when that is not said, or no place of one. Git asks, because it
 * knows this machine's proxies and certificates, and follows nothing.
 */
export async function askWhereTo(git: Git, { address }: Remote, work: string): Promise<GitAddress | undefined> {
  const trace = join(work, "trace");
  await git(["ls-remote", "--", address.url, "HEAD"], {
    env: { GIT_TRACE_CURL: trace, GIT_TRACE_CURL_NO_DATA: "1", GIT_TRACE_REDACT: "1" },
  });
  const text = await readFile(trace, "utf8").catch(() => "");
  await rm(trace, { force: true });
  const location = [...text.matchAll(/Recv header: location: *(\S+)/gi)].at(-1)?.[1];
  return location === undefined ? undefined : movedTo(address, location);
}

/** Credentials go to no other host than the one they were given for. */
export function isSameHost(a: GitAddress, b: GitAddress): boolean {
  return a.protocol === b.protocol && a.host === b.host && a.port === b.port;
}

export interface SshOptions {
  /** The program; `ssh` when left out. */
  program?: string;
  /** Host keys seen before. */
  knownHosts: string;
  /** A private folder, for the key. */
  work: string;
}

/** The environment that makes git use this key and no setting of the machine. */
export async function sshEnvironment(
  { address, addresses }: Remote,
  credentials: Credentials | undefined,
  { program = "ssh", knownHosts, work }: SshOptions,
): Promise<CommandEnvironment> {
  const key = join(work, "deploy-key");
  if (credentials && "deploy_key" in credentials) {
    // Windows' line breaks and a missing last one are what copying leaves; ssh takes neither.
    await writeFile(key, `${credentials.deploy_key.replace(/\r\n?/g, "\n").trim()}\n`, { mode: 0o600 });
    await chmod(key, 0o600);
  }
  // It tries one only.
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
    IdentityFile: credentials ? pathOf(key) : "none",
    PermitLocalCommand: "no",
    PreferredAuthentications: "publickey",
    ProxyCommand: "none",
    ServerAliveCountMax: "2",
    ServerAliveInterval: "15",
    // The key of a host is believed when it is seen first, and no other after that.
    StrictHostKeyChecking: "accept-new",
    UserKnownHostsFile: pathOf(knownHosts),
    ...(first !== undefined && { HostName: first, HostKeyAlias: port === 22 ? host : `[${host}]:${port}` }),
  };
  const words = [
    program,
    "-F",
    "none",
    ...Object.entries(settings).flatMap(([name, value]) => ["-o", `${name}=${value}`]),
  ];
  return { GIT_SSH_COMMAND: words.map(quoted).join(" "), GIT_SSH_VARIANT: "ssh" };
}

/** As ssh reads one in its settings. */
function pathOf(path: string): string {
  return `"${path.replaceAll("%", "%%")}"`;
}

/** Git gives this text to a shell. */
function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
