/** A registry that serves packages made up by a test. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tarGz } from "./archives.ts";

/** The files of each package by its name, or the address to which its archive redirects; null has no archive. */
export type Packages = Record<string, Record<string, string> | { movedTo: string } | null>;

export interface PackageRegistry {
  /** The address, with a trailing slash. */
  url: string;
  /** The paths of all requests. */
  requests: string[];
  close(): Promise<void>;
}

const VERSION = "1.0.0";

/** Serves each package in one version, 1.0.0. */
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

/** Packs files in the form in which registries serve them and `file:` dependencies read them. */
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

/** The package.json of one of these packages. */
export function manifest(name: string, more: object): string {
  return JSON.stringify({ name, version: VERSION, ...more });
}
