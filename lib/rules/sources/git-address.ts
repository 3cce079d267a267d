/** Parses the address of a git source into the parts that decide how it is reached. */
import { readPageAddress } from "./page-address.ts";

export interface GitAddress {
  protocol: "https" | "http" | "ssh" | "file";
  /** The host without brackets; empty for a repository of this machine. */
  host: string;
  /** The port; 0 for a repository of this machine. */
  port: number;
  /** The address for git. A web address is normalized, so that git reads the same host in it. */
  url: string;
  /** Host and path, as shown to people. */
  shown: string;
}

const PORTS = { https: 443, http: 80, ssh: 22, file: 0 };

/** Parses an address; undefined when it is not one of git. */
export function parseGitAddress(text: string): GitAddress | undefined {
  const [, host, path] = /^[\w.-]+@([\w.-]+):(?!\/\/)(\S+)$/.exec(text) ?? [];
  if (host !== undefined && path !== undefined) {
    if (host.startsWith("-")) return undefined;
    return { protocol: "ssh", host, port: PORTS.ssh, url: text, shown: shownOf(host, path) };
  }
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.protocol === "file:") return localAddress(url);
  const protocol = protocolOf(url);
  // Git would decode `%2d` in a host.
  if (
    !protocol ||
    url.pathname.length < 2 ||
    url.password !== "" ||
    !/^(\[[0-9a-f:.]+\]|[\w][\w.-]*)$/i.test(url.hostname)
  )
    return undefined;
  if (protocol === "ssh" ? url.username.startsWith("-") : url.username !== "") return undefined;
  url.hash = "";
  return {
    protocol,
    host: url.hostname.replace(/^\[|\]$/g, "").toLowerCase(),
    port: url.port === "" ? PORTS[protocol] : Number(url.port),
    url: protocol === "ssh" ? text : url.href,
    shown: shownOf(url.host, url.pathname),
  };
}

/** Parses a `file:` URL. Its path stays encoded, because git decodes it. */
function localAddress({ hostname, pathname }: URL): GitAddress | undefined {
  if (hostname !== "" || pathname.length < 2) return undefined;
  const shown = pathname.replace(/\/+$|\.git\/*$/, "");
  return { protocol: "file", host: "", port: PORTS.file, url: `file://${pathname}`, shown };
}

function protocolOf({ protocol }: URL): GitAddress["protocol"] | undefined {
  if (protocol === "https:") return "https";
  if (protocol === "http:") return "http";
  return protocol === "ssh:" ? "ssh" : undefined;
}

function shownOf(host: string, path: string): string {
  return `${host}/${path.replace(/^\/+|\/+$/g, "").replace(/\.git$/, "")}`;
}

/**
 * Returns what all addresses of one repository have in common: its host, without the port, and its path. Undefined for
 * an invalid address. Total.
 */
export function repositoryOf(text: string): string | undefined {
  const address = parseGitAddress(readPageAddress(text)?.url ?? text);
  if (!address) return undefined;
  const path = address.shown.slice(address.shown.indexOf("/") + 1).replace(/\/+$/, "");
  return `${address.host}/${path}`.toLowerCase();
}

/** The path of git's first request over http, below the repository's own path. */
const FIRST_PATH = "/info/refs";

/** Returns the new address of a repository, by the `Location` header of the answer to git's first request. */
export function movedTo(from: GitAddress, location: string): GitAddress | undefined {
  if (!URL.canParse(location, from.url)) return undefined;
  const url = new URL(location, from.url);
  if (!url.pathname.endsWith(FIRST_PATH)) return undefined;
  url.pathname = url.pathname.slice(0, -FIRST_PATH.length);
  url.search = "";
  return parseGitAddress(url.href);
}
