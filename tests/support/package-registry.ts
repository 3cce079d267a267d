/** A registry of packages that a test makes up. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tarGz } from "./archives.ts";

/** By name: files of a package, or the address that its archive is said to have moved to; null has no archive. */
export type Packages = Record<string, Record<string, string> | { movedTo: string } | null>;

export interface PackageRegistry {
  /** With a slash at the end. */
  url: string;
  /** Paths that were asked for. */
  requests: string[];
  close(): Promise<void>;
}

const VERSION = "1.0.0";

/** Each package has one version, 1.0.0. */
export async function servePackages(packages: Packages): Promise<PackageRegistry> {
  const requests: string[] = [];
  const server = createServer(({ url: path = "" }, response) => {
    requests.push(path);
    response.setHeader("cache-control", "no-store");
    const [, name = "", archive] = /^\/npm\/((?:@[^/]+\/)?[^/]+)(\/-\/.*\.tgz)?$/.exec(decodeURIComponent(path)) ?? [];
    const found = Object.hasOwn(packages, name) ? packages[name] : undefined;
    if (found === undefined) return void response.writeHead(404).end("{}");
    if (archive === undefined) return void response.end(JSON.stringify(about(name, found, url)));
    if (found === null) return void response.writeHead(404).end("{}");
    if (isMoved(found)) return void response.writeHead(302, { location: found.movedTo }).end();
    response.end(packageArchive(name, found));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/npm/`;
  return {
    url,
    requests,
    close() {
      server.closeAllConnections();
      return new Promise((closed) => server.close(() => closed()));
    },
  };
}

function isMoved(found: NonNullable<Packages[string]>): found is { movedTo: string } {
  return "movedTo" in found;
}

/** As a registry, or a package.json's `file:`, has it. */
function packageArchive(name: string, files: Record<string, string>): Buffer {
  const all = { "package.json": manifest(name, {}), ...files };
  return tarGz(Object.entries(all).map(([path, body]) => ({ name: `package/${path}`, body })));
}

function about(name: string, found: Packages[string], url: string): object {
  const written = found === null || isMoved(found) ? undefined : found["package.json"];
  const own = written === undefined ? {} : (JSON.parse(written) as object);
  const digests = found === null && { shasum: "0".repeat(40), integrity: `sha512-${"A".repeat(86)}==` };
  const dist = { ...digests, tarball: `${url}${name}/-/${name.replace(/^.*\//, "")}-${VERSION}.tgz` };
  const time = { [VERSION]: "2020-01-01T00:00:00.000Z" };
  const versions = { [VERSION]: { ...own, name, version: VERSION, dist } };
  return { name, time, "dist-tags": { latest: VERSION }, versions };
}

/** A package.json of one of these packages. */
export function manifest(name: string, more: object): string {
  return JSON.stringify({ name, version: VERSION, ...more });
}
