/** What keeps a build in a step for as long as a test wants: a server and a pipe that nobody answers. */
import { execFileSync } from "node:child_process";
import { closeSync, constants, mkdirSync, openSync, readFileSync, renameSync, writeFileSync, writeSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

export interface Hold {
  /** Whether a request is to be left without an answer. */
  wants: ((path: string) => boolean) | undefined;
  /** Resolves when one has come that is. */
  reached(): Promise<void>;
  /** Answers all that wait, and from now on every one. */
  release(): void;
}

/** Takes requests that are to be held; others are for who asks. */
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

/** Answers everything, once it is not held. Of `/npm/tiny` it is a registry with one package. */
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

/** A file that nobody reads to its end before the test has written it. */
export function makePipe(path: string): void {
  execFileSync("mkfifo", [path]);
}

/**
 * Lets whoever reads the pipe read `{}`, until there is a reader while `isOver` says so: that one is left waiting, for as
 * long as the answered function is not called. Resolves to nothing when `isDone` says so first.
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
    // Who comes from now on does not read what is meant for this one.
    makePipe(`${path}.next`);
    renameSync(`${path}.next`, path);
    try {
      writeSync(writer, "{}");
    } catch {
      // Its reader has been killed.
    }
    closeSync(writer);
  }
}

/** Undefined while nobody reads. */
function openWriter(path: string): number | undefined {
  try {
    return openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
}
