/** A server and a pipe that leave readers waiting, so that a build stays in a step for as long as a test needs. */
import { execFileSync } from "node:child_process";
import { closeSync, constants, mkdirSync, openSync, readFileSync, renameSync, writeFileSync, writeSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

export interface Hold {
  /** Decides whether a request is held; undefined holds none. */
  wants: ((path: string) => boolean) | undefined;
  /** Resolves when a request is being held. */
  reached(): Promise<void>;
  /** Answers all held requests and stops holding new ones. */
  release(): void;
}

/** Creates a hold. `take` calls `go` at once for a request that is not held. */
export function newHold(): Hold & { take(path: string, go: () => void): void } {
  let waiting: (() => void)[] = [];
  let reach = Promise.withResolvers<void>();
  const hold = {
    wants: undefined as Hold["wants"],
    reached: () => reach.promise,
    release() {
      hold.wants = undefined;
      reach = Promise.withResolvers();
      for (const go of waiting.splice(0)) go();
      waiting = [];
    },
    take(path: string, go: () => void) {
      if (hold.wants?.(path) !== true) return go();
      waiting.push(go);
      reach.resolve();
    },
  };
  return hold;
}

/**
 * Serves an empty JSON object for every path, and a registry with the one package `tiny` below `/npm/`. Held requests
 * wait.
 */
export async function serveHeld(folder: string): Promise<{ url: string; hold: Hold; close(): Promise<void> }> {
  const hold = newHold();
  const tarball = packTiny(folder);
  const answer = ({ url: path = "" }: IncomingMessage, response: ServerResponse): void => {
    response.setHeader("cache-control", "no-store");
    if (path.endsWith(".tgz")) response.end(tarball);
    else if (path === "/npm/tiny") response.end(JSON.stringify(aboutTiny(url)));
    else response.writeHead(path.startsWith("/npm/") ? 404 : 200).end("{}");
  };
  const server = createServer((request, response) => hold.take(request.url ?? "", () => answer(request, response)));
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    hold,
    close() {
      server.closeAllConnections();
      return new Promise((closed) => server.close(() => closed()));
    },
  };
}

function packTiny(folder: string): Buffer {
  mkdirSync(join(folder, "package"), { recursive: true });
  writeFileSync(join(folder, "package", "package.json"), JSON.stringify({ name: "tiny", version: "1.0.0" }));
  execFileSync("tar", ["-czf", join(folder, "tiny.tgz"), "-C", folder, "package"]);
  return readFileSync(join(folder, "tiny.tgz"));
}

function aboutTiny(url: string): object {
  const version = { name: "tiny", version: "1.0.0", dist: { tarball: `${url}/npm/tiny/-/tiny-1.0.0.tgz` } };
  return { name: "tiny", "dist-tags": { latest: "1.0.0" }, versions: { "1.0.0": version } };
}

/** Creates a named pipe. A reader waits until the test has written to it. */
export function makePipe(path: string): void {
  execFileSync("mkfifo", [path]);
}

/**
 * Feeds `{}` to each reader of a pipe. The first reader that comes while `isOver` returns true is left waiting, and the
 * returned function lets it end. Resolves with undefined when `isDone` returns true first.
 */
export async function feedPipe(
  path: string,
  { isOver, isDone }: { isOver: () => Promise<boolean>; isDone: () => Promise<boolean> },
): Promise<(() => void) | undefined> {
  for (;;) {
    const writer = openWriter(path);
    if (writer === undefined) {
      if (await isDone()) return undefined;
      await sleep(20);
      continue;
    }
    if (await isOver()) return () => closeSync(writer);
    // Readers that come from now on open a new pipe, so they do not take this reader's bytes.
    makePipe(`${path}.next`);
    renameSync(`${path}.next`, path);
    try {
      writeSync(writer, "{}");
    } catch {
      // The reader has been killed.
    }
    closeSync(writer);
  }
}

/** Opens the pipe for writing; undefined while it has no reader. */
function openWriter(path: string): number | undefined {
  try {
    return openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
}
