/** Builds sources that reach for the server, its network and its files. */
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { type AddressInfo, createServer, type Server } from "node:net";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { LogLine, Revision } from "../../lib/protocol/revisions.ts";
import { tarGz } from "../support/archives.ts";
import { call, untilBuilt } from "../support/control.ts";
import { INSTALL_MS } from "../support/built-packages.ts";
import { manifest, type PackageRegistry, type Packages, servePackages } from "../support/package-registry.ts";
import { ORDINARY_USER, startServer, type TestServer } from "../support/server.ts";
import { serverUsers } from "../support/users.ts";
import { pathWithout } from "../support/without-program.ts";
import { processesNaming } from "../support/workers.ts";

const folders: string[] = [];
const isRoot = process.getuid?.() === 0;
const json = (value: object): string => JSON.stringify(value, null, 2);

/** A server in the operator's network, which no install may reach. */
let trap: Server;
let inside: string;
let came = 0;
const packages: Packages = { plain: {} };
let registry: PackageRegistry;

beforeAll(async () => {
  trap = createServer((socket) => {
    came++;
    socket.destroy();
  });
  await new Promise<void>((listening) => trap.listen(0, "127.0.0.1", listening));
  inside = `127.0.0.1:${(trap.address() as AddressInfo).port}`;
  packages.moved = { movedTo: `http://${inside}/moved.tgz` };
  registry = await servePackages(packages);
});
afterAll(async () => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  trap.close();
  await registry.close();
});

const BASE = {
  "graphlib.json": json({ graphs: { agent: "./agent.mjs:graph" } }),
  "agent.mjs": `
    import { AIMessage } from "@langchain/core/messages";
    import { MessagesAnnotation, StateGraph } from "@langchain/langgraph";
    export const graph = new StateGraph(MessagesAnnotation)
      .addNode("say", () => ({ messages: [new AIMessage("hello")] })).addEdge("__start__", "say").compile();
  `,
};
const packageJson = (dependencies: Record<string, string>): string => json({ name: "x", private: true, dependencies });

interface Built {
  revision: Revision;
  log: string[];
}

async function build(
  server: TestServer,
  name: string,
  files: Record<string, string>,
  settings = {},
  folder?: string,
): Promise<Built> {
  const entries = Object.entries({ ...BASE, ...files }).map(([path, body]) => ({ name: path, body }));
  const headers = { "content-type": "application/octet-stream" };
  const body = new Uint8Array(tarGz(entries));
  const sent = await fetch(`${server.url}/api/uploads`, { method: "PUT", headers, body });
  const { upload_id } = (await sent.json()) as { upload_id: string };
  const made = { name, source: { type: "upload", upload_id, folder }, settings };
  expect((await call(server, "POST", "/deployments", made)).status).toBeLessThan(300);
  const revision = await untilBuilt(server, name);
  const log = await call<LogLine[]>(server, "GET", `/deployments/${name}/revisions/1/log?after=-1`);
  return { revision, log: log.json.map(({ text }) => text) };
}

describe.each(serverUsers)(
  "an install of a server of $as that may not use its network",
  { timeout: INSTALL_MS },
  ({ user }) => {
    let server: TestServer;
    beforeAll(async () => {
      server = await startServer({ user, env: { ALLOW_LOCAL_SOURCES: "0", npm_config_registry: registry.url } });
    });
    afterAll(() => server.stop());

    test("uses the operator's own registry, and its log names it", async () => {
      const { revision, log } = await build(server, "plain", { "package.json": packageJson({ plain: "1.0.0" }) });
      expect(revision).toMatchObject({ state: "live", problem: null });
      expect(log).toContainEqual(expect.stringMatching(/^127\.0\.0\.1:\d+: \d connections?, \d+ kB$/));
    });

    const lock = (resolved: string): string =>
      json({
        name: "x",
        lockfileVersion: 3,
        requires: true,
        packages: {
          "": { name: "x", dependencies: { plain: "1.0.0" } },
          "node_modules/plain": { version: "1.0.0", resolved, integrity: `sha512-${"A".repeat(86)}==` },
        },
      });
    const attacks: [name: string, file: string | undefined, files: () => Record<string, string>][] = [
      [
        "npmrc",
        ".npmrc",
        () => ({ "package.json": packageJson({ plain: "1.0.0" }), ".npmrc": `registry=http://${inside}/\n` }),
      ],
      [
        "scope",
        ".npmrc",
        () => ({ "package.json": packageJson({ "@s/p": "1.0.0" }), ".npmrc": `@s:registry=http://${inside}/\n` }),
      ],
      [
        "lockfile",
        "package-lock.json",
        () => ({
          "package.json": packageJson({ plain: "1.0.0" }),
          "package-lock.json": lock(`http://${inside}/plain.tgz`),
        }),
      ],
      [
        "metadata",
        "package-lock.json",
        () => ({
          "package.json": packageJson({ plain: "1.0.0" }),
          "package-lock.json": lock("http://169.254.169.254/latest/meta-data/plain.tgz"),
        }),
      ],
      ["address", "package.json", () => ({ "package.json": packageJson({ plain: `http://${inside}/x.tgz` }) })],
      [
        "number",
        undefined,
        () => ({ "package.json": packageJson({ plain: `http://${inside.replace("127.0.0.1", "2130706433")}/x.tgz` }) }),
      ],
      ["tls", "package.json", () => ({ "package.json": packageJson({ plain: `https://${inside}/x.tgz` }) })],
      ["repository", "package.json", () => ({ "package.json": packageJson({ plain: `git+https://${inside}/x.git` }) })],
      ["redirect", undefined, () => ({ "package.json": packageJson({ moved: "1.0.0" }) })],
    ];
    test.each(attacks)("reaches no other host: %s", async (name, file, files) => {
      const before = came;
      const { revision, log } = await build(server, name, files());
      expect(came).toBe(before);
      const message = expect.stringMatching(/^(?:127\.0\.0\.1|169\.254\.169\.254):\d+ is not a public host: /);
      expect(revision).toMatchObject({
        state: "install_failed",
        problem: { message, fix: expect.stringMatching(/ALLOW_LOCAL_SOURCES/) },
      });
      if (file !== undefined) expect(revision.problem).toMatchObject({ file, line: expect.any(Number) });
      expect(log).toContainEqual(message);
    });

    test("reaches no repository past its proxy", async () => {
      const before = came;
      const { revision } = await build(server, "ssh", {
        "package.json": packageJson({ plain: `git+ssh://git@${inside}/x.git` }),
      });
      expect(revision.problem).toMatchObject({ message: "Packages are not fetched over ssh here" });
      expect(came).toBe(before);
    });
  },
);

/** The results that the install script of a package wrote down. */
interface Found {
  uid: number;
  [attempt: string]: unknown;
}

const isFenced = existsSync("/usr/bin/bwrap");
const SECRET = "s3cret-of-this-server";
const script = (name: string): string => readFileSync(new URL(`apps/builds/${name}`, import.meta.url), "utf8");
const MAKE = script("make.cjs");
const MOVE = script("move.cjs");

interface Isolation {
  what: string;
  user?: typeof ORDINARY_USER;
  fenced: boolean;
}
const isolations: Isolation[] = [
  ...(isFenced ? [{ what: "behind a fence", fenced: true }] : []),
  ...(isFenced && isRoot ? [{ what: "behind a fence of an ordinary user", user: ORDINARY_USER, fenced: true }] : []),
  ...(isRoot ? [{ what: "as a user of its own", fenced: false }] : []),
];

describe.each(isolations)("an install script $what", ({ user, fenced }) => {
  let server: TestServer;
  let found: Found;
  let tree: string;
  /** The number of seconds for which the script's process sleeps, which no other process of this machine does. */
  const seconds = String(1_000_000 + Math.floor(Math.random() * 9_000_000));
  /** The home folder of the server's user. */
  const ownHome = (): string => (user ? server.home : homedir());
  beforeAll(async () => {
    const env: Record<string, string> = { npm_config_registry: registry.url, GRAPHLIB_WEBHOOK_SECRET: SECRET };
    if (!fenced) env.PATH = await pathWithout("bwrap");
    server = await startServer({ user, env });
    await build(server, "other", { "package.json": packageJson({ plain: "1.0.0" }) });
    const { home, url } = server;
    const about = manifest("thing", { scripts: { postinstall: "node make.cjs" } });
    const target = json({ home, own: ownHome(), url, secret: SECRET, seconds });
    packages.thing = { "package.json": about, "make.cjs": MAKE, "target.json": target };
    const { revision, log } = await build(
      server,
      "bad",
      { "package.json": packageJson({ thing: "1.0.0" }) },
      { install_scripts: true },
    );
    if (revision.state !== "live") throw new Error(log.join("\n"));
    const all = join(home, "packages");
    const keys = readdirSync(all).map((key) => join(all, key, "tree", "node_modules", "thing"));
    tree = keys.find((one) => existsSync(one)) ?? "";
    found = JSON.parse(readFileSync(join(tree, "found.json"), "utf8")) as Found;
  }, INSTALL_MS);
  afterAll(() => server.stop());

  test("reads nothing of the server, and writes only to its own folder", () => {
    const { uid, environ } = found;
    for (const name of ["secret", "database", "other"]) expect([name, found[name]]).toEqual([name, refused]);
    // In a fence these paths may be written, to memory of the fence.
    const written = [`${server.home}/downloads/poison`, `${server.home}/packages/poison`];
    const all = [...written, join(ownHome(), ".npmrc-poison"), "/poison-of-a-script"];
    expect(all.filter((path) => existsSync(path))).toEqual([]);
    expect(environ).toBe("none of the server's");
    if (user === undefined && isRoot) expect(uid).toBeGreaterThan(1000);
  });

  test("does not reach the server's own control plane", () => {
    expect(found.proxied).toBe(403);
    if (fenced) expect(found.direct).toBe("refused ECONNREFUSED");
  });

  test("leaves no link through which the server writes", { timeout: INSTALL_MS }, async () => {
    const settings = join(server.home, ".npmrc");
    writeFileSync(settings, "mine");
    const about = manifest("mover", { scripts: { postinstall: "node move.cjs" } });
    packages.mover = { "package.json": about, "move.cjs": MOVE, "target.json": json({ home: server.home }) };
    const files = { ...BASE, "package.json": packageJson({ mover: "1.0.0" }), ".npmrc": "legacy-peer-deps=true\n" };
    const inApp = Object.fromEntries(Object.entries(files).map(([path, text]) => [`app/${path}`, text]));
    const { revision } = await build(server, "mover", inApp, { install_scripts: true }, "app");
    const message = "A script of a package removed the folder app or replaced it by a link";
    expect(revision).toMatchObject({ state: "install_failed", problem: { message } });
    expect(readFileSync(settings, "utf8")).toBe("mine");
  });

  test("leaves no process", async () => {
    await expect.poll(() => processesNaming(seconds), { timeout: 10_000 }).toEqual([]);
  });

  test("leaves only files that belong to the server and that nobody else may change", () => {
    const owner = user?.uid ?? process.getuid?.();
    for (const path of [tree, join(tree, "program"), join(tree, "found.json")]) {
      const { uid, mode } = lstatSync(path);
      expect([path, uid, mode & 0o6022]).toEqual([path, owner, fenced && !isTakenBack(user) ? mode & 0o6022 : 0]);
    }
  });
});

const refused: unknown = expect.stringMatching(/^refused E(?:ACCES|PERM|ROFS|NOENT)$/);

/** Returns whether the server takes the files' ownership back. Without its own user, a script is the server's user. */
function isTakenBack(user: object | undefined): boolean {
  return isRoot && user === undefined;
}

test.runIf(isRoot)("unconfined scripts are refused on a reachable server", async () => {
  const env = { PATH: await pathWithout("bwrap"), PUBLIC_URL: "https://agents.example", ALLOW_LOCAL_SOURCES: "1" };
  const key = "a-key-that-nobody-can-guess-0123456789";
  const server = await startServer({ user: ORDINARY_USER, env: { ...env, GRAPHLIB_API_KEY: key } });
  const folder = mkdtempSync(join(tmpdir(), "graphlib-app-"));
  folders.push(folder);
  chmodSync(folder, 0o755);
  for (const [name, text] of Object.entries({ ...BASE, "package.json": packageJson({}) }))
    writeFileSync(join(folder, name), text);
  const made = { name: "bad", source: { type: "folder", path: folder }, settings: { install_scripts: true } };
  const answer = await call(server, "POST", "/deployments", made, { "x-api-key": key });
  expect(answer.status).toBe(403);
  expect(answer.text).toMatch(
    /install_scripts needs a server that can hold scripts of packages: bubblewrap is not installed/,
  );
  await server.stop();
});
