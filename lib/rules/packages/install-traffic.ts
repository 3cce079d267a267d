/** Describes the network traffic of an install for people. */
import { counted, grouped } from "../text/counted.ts";
import type { RevisionProblem } from "../../protocol/revisions.ts";
import { authorityOf, type ProxyTarget } from "./proxies.ts";

export interface HostTraffic {
  /** `host:port`; empty for the sum of the remaining hosts, when there were very many. */
  authority: string;
  connections: number;
  /** Bytes in both directions. */
  bytes: number;
}

export function trafficLine({ authority, connections, bytes }: HostTraffic): string {
  const host = authority === "" ? "Other hosts" : authority.replace(/:443$/, "");
  return `${host}: ${counted(connections, "connection")}, ${sizeWords(bytes)}`;
}

function sizeWords(bytes: number): string {
  if (bytes < 1024 * 1024) return `${grouped(Math.ceil(bytes / 1024))} kB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

/** A file of the source, by its path from the application's folder. */
export interface NamingFile {
  file: string;
  text: string;
}

/**
 * Returns why an install may not connect to a host, with the first line of the source that names the host. `own`: the
 * host is this server itself.
 */
export function refusedHost(
  target: ProxyTarget,
  files: readonly NamingFile[],
  own = false,
): Omit<RevisionProblem, "step"> {
  const authority = authorityOf(target);
  const message = `${authority} is ${own ? "this server itself" : "not a public host"}: installs of this server do not go there`;
  const allow = own
    ? "give the code what it needs there when it runs."
    : "ask the server's operator to allow it: as a registry of npm there, or by ALLOW_LOCAL_SOURCES=1.";
  const location = locationOf(authority, files) ?? locationOf(authority.replace(/:\d+$/, ""), files);
  if (location) return { message, ...location, fix: `Take it out of ${location.file}, or ${allow}` };
  const fix = `No file of the source names it, so a registry or a package has sent the install there. Do without it, or ${allow}`;
  return { message, fix };
}

function locationOf(text: string, files: readonly NamingFile[]): { file: string; line: number } | undefined {
  for (const { file, text: all } of files) {
    const line = all.split("\n").findIndex((one) => mentions(one.toLowerCase(), text));
    if (line >= 0) return { file, line: line + 1 };
  }
  return undefined;
}

/** Returns whether the line has the host as a whole: `10.0.0.1` is not in `110.0.0.12`. */
function mentions(line: string, host: string): boolean {
  for (let at = line.indexOf(host); at >= 0; at = line.indexOf(host, at + 1)) {
    const [before = "", after = ""] = [line[at - 1], line[at + host.length]];
    if (!/[\w.-]/.test(before) && !/[\w-]/.test(after)) return true;
  }
  return false;
}
