/** Sources that make their build reach for what is not theirs. */
import { type AddressInfo, createServer, type Server } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { LogLine, Revision } from "../../lib/protocol/revisions.ts";
import { tarGz } from "../support/archives.ts";
import { call, over } from "../support/control.ts";
import { type PackageRegistry, type Packages, servePackages } from "../support/package-registry.ts";
import { ORDINARY_USER, startServer, type TestServer } from "../support/server.ts";

const isRoot = process.getuid?.() === 0;
const json = (value: object): string => JSON.stringify(value, null, 2);

/** What nobody should come to: the network behind the server. */
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
const asking = (dependencies: Record<string, string>): string => json({ name: "x", private: true, dependencies });

interface Built {
  revision: Revision;
  log: string[];
}

async function build(server: TestServer, name: string, files: Record<string, string>, settings = {}): Promise<Built> {
  const entries = Object.entries({ ...BASE, ...files }).map(([path, body]) => ({ name: path, body }));
  const headers = { "content-type": "application/octet-stream" };
  const body = new Uint8Array(tarGz(entries));
  const sent = await fetch(`${server.url}/api/uploads`, { method: "PUT", headers, body });
  const { upload_id } = (await sent.json()) as { upload_id: string };
  const made = { name, source: { type: "upload", upload_id }, settings };
  expect((await call(server, "POST", "/deployments", made)).status).toBeLessThan(300);
  const revision = await over(server, name);
  const log = await call<LogLine[]>(server, "GET", `/deployments/${name}/revisions/1/log?after=-1`);
  return { revision, log: log.json.map(({ text }) => text) };
}

const users = [
  { as: isRoot ? "root" : "its user", user: undefined },
  ...(isRoot ? [{ as: "an ordinary user", user: ORDINARY_USER }] : []),
];

describe.each(users)("an install of a server of $as that is not to go into its network", ({ user }) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer({ user, env: { ALLOW_LOCAL_SOURCES: "0", npm_config_registry: registry.url } });
  });
  afterAll(() => server.stop());

  test("goes to the operator's own registry, and its log says so", async () => {
    const { revision, log } = await build(server, "plain", { "package.json": asking({ plain: "1.0.0" }) });
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
      () => ({ "package.json": asking({ plain: "1.0.0" }), ".npmrc": `registry=http://${inside}/\n` }),
    ],
    [
      "scope",
      ".npmrc",
      () => ({ "package.json": asking({ "@s/p": "1.0.0" }), ".npmrc": `@s:registry=http://${inside}/\n` }),
    ],
    [
      "lockfile",
      "package-lock.json",
      () => ({ "package.json": asking({ plain: "1.0.0" }), "package-lock.json": lock(`http://${inside}/plain.tgz`) }),
    ],
    [
      "metadata",
      "package-lock.json",
      () => ({
        "package.json": asking({ plain: "1.0.0" }),
        "package-lock.json": lock("http://169.254.169.254/latest/meta-data/plain.tgz"),
      }),
    ],
    ["address", "package.json", () => ({ "package.json": asking({ plain: `http://${inside}/x.tgz` }) })],
    [
      "number",
      undefined,
      () => ({ "package.json": asking({ plain: `http://${inside.replace("127.0.0.1", "2130706433")}/x.tgz` }) }),
    ],
    ["tls", "package.json", () => ({ "package.json": asking({ plain: `https://${inside}/x.tgz` }) })],
    ["repository", "package.json", () => ({ "package.json": asking({ plain: `git+https://${inside}/x.git` }) })],
    ["redirect", undefined, () => ({ "package.json": asking({ moved: "1.0.0" }) })],
  ];
  test.each(attacks)("goes nowhere else: %s", async (name, file, files) => {
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

  test("goes to no repository past its proxy", async () => {
    const before = came;
    const { revision } = await build(server, "ssh", {
      "package.json": asking({ plain: `git+ssh://git@${inside}/x.git` }),
    });
    expect(revision.problem).toMatchObject({ message: "Packages are not fetched over ssh here" });
    expect(came).toBe(before);
  });
});
