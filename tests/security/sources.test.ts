import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Client } from "@langchain/langgraph-sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Revision } from "../../lib/protocol/revisions.ts";
import { type TarEntry, tarGz } from "../support/archives.ts";
import { call, untilBuilt, untilState } from "../support/control.ts";
import { ORDINARY_USER, startServer, type TestServer, type TestServerOptions } from "../support/server.ts";

const APP = join(import.meta.dirname, "apps", "sources");
const GRAPH = readFileSync(join(APP, "graph.mjs"), "utf8");
const MODULES = resolve(import.meta.dirname, "../../node_modules");
const KEY = "a-key-of-the-platform-0123456789abcdef";
const isRoot = process.getuid?.() === 0;
const TEST_MS = 600_000;

const servers: { how: string; options: TestServerOptions }[] = [
  { how: "a server that gives code no user of its own", options: { env: { GRAPHLIB_WORKER_UID_BASE: "0" } } },
  ...(isRoot ? [{ how: "a server of an ordinary user", options: { user: ORDINARY_USER } }] : []),
];

const config = (more: object = {}): TarEntry => ({
  name: "graphlib.json",
  body: JSON.stringify({ graphs: { probe: "./graph.mjs:probe" }, ...more }),
});
const graph: TarEntry = { name: "graph.mjs", body: GRAPH };

async function upload(server: TestServer, entries: readonly TarEntry[]): Promise<object> {
  const sent = await fetch(`${server.url}/api/uploads`, {
    method: "PUT",
    headers: { "content-type": "application/octet-stream" },
    body: new Uint8Array(tarGz(entries)),
  });
  const { upload_id } = (await sent.json()) as { upload_id: string };
  return { type: "upload", upload_id };
}

async function deploy(server: TestServer, name: string, source: object, more: object = {}): Promise<Revision> {
  const made = await call(server, "POST", "/deployments", { name, source, ...more });
  expect(made.status, made.text).toBe(201);
  return await untilBuilt(server, name);
}

async function tryOperations(server: TestServer, name: string, ...operations: string[][]): Promise<string[]> {
  const client = new Client({ apiUrl: `${server.url}/agents/${name}` });
  const values = (await client.runs.wait(null, "probe", { input: { ask: operations } })) as { answers: string[] };
  return values.answers;
}

const buildLog = async (server: TestServer, name: string): Promise<string> =>
  (await call(server, "GET", `/deployments/${name}/revisions/1/log?after=-1`)).text;

function linksIn(root: string): string[] {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isSymbolicLink()).map((entry) => join(entry.parentPath, entry.name));
}

describe.each(servers)("$how", ({ options }) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer(options);
  }, TEST_MS);
  afterAll(async () => {
    await server.stop();
  });

  test.each([
    ["to a folder", { name: "a/b/c/d/top", link: "../../../.." }, /"a\/b\/c\/d\/top", a link to a folder$/],
    ["to a folder by way of another", { name: "way", link: "a/b/here" }, /"(way|a\/b\/here)", a link to a folder$/],
    ["out of it", { name: ".env", link: "../../../../secret" }, /"\.env", a link that leads out of it$/],
  ])("refuses an archive with a link %s", async (how, { name, link }, message) => {
    const links = [
      { name, type: "2" as const, link },
      { name: "a/b/here", type: "2" as const, link: "." },
    ];
    const entries = [config(), graph, { name: "a/b/c/d/e" }, ...(how.includes("way") ? links : links.slice(0, 1))];
    const deployment = `link-${how.length}`;
    const { state, problem } = await deploy(server, deployment, await upload(server, entries));
    expect([state, problem?.message]).toEqual(["source_failed", expect.stringMatching(message)]);
  });

  test("keeps no links of an archive: those to files become copies, those to nothing are left out", async () => {
    const entries: TarEntry[] = [
      config(),
      { name: "real.mjs", body: GRAPH },
      { name: "graph.mjs", type: "2", link: "./other.mjs" },
      { name: "other.mjs", type: "2", link: "real.mjs" },
      { name: "lost", type: "2", link: "nothing/../here" },
    ];
    expect((await deploy(server, "copies", await upload(server, entries))).state).toBe("live");
    expect(linksIn(join(server.home, "deployments/copies/revisions/1"))).toEqual([]);
    expect(await buildLog(server, "copies")).toContain('\\"lost\\" is left out: it leads to nothing');
    expect(await tryOperations(server, "copies", ["variables", "OF"])).toEqual(["[null]"]);
  });

  test(
    "has no link in its packages that leads code out, neither in workspaces nor in copies",
    async () => {
      const shared = { name: "@acme/shared", version: "1.0.0", type: "module", exports: "./index.ts" };
      const agent = { name: "agent", version: "1.0.0", type: "module", dependencies: { "@acme/shared": "*" } };
      const entries: TarEntry[] = [
        { name: "package.json", body: JSON.stringify({ private: true, workspaces: ["packages/*"] }) },
        { name: "packages/shared/package.json", body: JSON.stringify(shared) },
        { name: "packages/shared/index.ts", body: "export const said: string = 'shared';" },
        { name: "packages/agent/package.json", body: JSON.stringify(agent) },
        { ...config(), name: "packages/agent/graphlib.json" },
        {
          name: "packages/agent/graph.mjs",
          body: `import { said } from "@acme/shared"; globalThis.preloaded = said === "shared";\n${GRAPH}`,
        },
      ];
      const source = { ...(await upload(server, entries)), folder: "packages/agent" };
      const { state, problem } = await deploy(server, "workspace", source);
      expect([state, problem]).toEqual(["live", null]);
      const root = join(server.home, "deployments/workspace/revisions/1");
      const [loaded, escaped] = await tryOperations(
        server,
        "workspace",
        ["preloaded"],
        ["escape", "secret", root, MODULES],
      );
      expect([loaded, escaped]).toEqual(["true", "[]"]);
      // Every link leads to a file, and has the path of one of this revision's own files.
      const links = linksIn(root).map((path) => path.slice(root.length + 1));
      expect(links.toSorted()).toEqual([
        "node_modules/@acme/shared/index.ts",
        "node_modules/@acme/shared/package.json",
        "node_modules/agent/graph.mjs",
        "node_modules/agent/graphlib.json",
        "node_modules/agent/package.json",
      ]);
    },
    TEST_MS,
  );

  test("runs no code of a source before the worker's own", async () => {
    const entries = [
      config({ env: { NODE_OPTIONS: "--import=./early.mjs" } }),
      graph,
      { name: "early.mjs", body: "globalThis.preloaded = true;" },
    ];
    expect((await deploy(server, "early", await upload(server, entries))).state).toBe("live");
    expect(await tryOperations(server, "early", ["preloaded"])).toEqual(["false"]);
    await expect.poll(() => server.output()).toContain("NODE_OPTIONS would undo its isolation and is left out");
  });

  test("refuses an env file outside of the source", async () => {
    for (const [index, env] of [join(server.home, "secret"), "../../../../secret", "a/../../secret"].entries()) {
      const { state, problem } = await deploy(server, `env-${index}`, await upload(server, [config({ env }), graph]));
      const message = `env points out of the source: ${env}.`;
      expect([state, problem?.message, problem?.file]).toEqual(["config_failed", message, "graphlib.json"]);
    }
  });

  test("redacts secrets in output, in any encoding", async () => {
    const secret = `p4ss/w"rd+ü ${"x".repeat(8)}`;
    const environment = { variables: { TOKEN: secret } };
    await deploy(server, "printer", await upload(server, [config(), graph]), { environment });
    const forms = [
      ...["", "a", "ab"].map((before) => Buffer.from(`${before}${secret}!`).toString("base64")),
      Buffer.from(`Bearer ${secret}`).toString("base64url"),
      Buffer.from(secret).toString("hex"),
      encodeURIComponent(secret),
      new URLSearchParams({ secret }).toString(),
      JSON.stringify({ said: JSON.stringify({ secret }) }),
    ];
    await tryOperations(server, "printer", ["print", ...forms, "the end"]);
    const log = async (): Promise<string> => (await call(server, "GET", "/deployments/printer/log?after=-1")).text;
    await expect.poll(log, { timeout: 60_000 }).toContain("the end");
    const output = (await log()) + server.output();
    for (const form of forms) expect(output).not.toContain(form);
    expect(output.split("[TOKEN]").length).toBeGreaterThan(forms.length);
  });
});

describe("variables of the server", () => {
  const folder = mkdtempSync(join(tmpdir(), "graphlib-operator-"));
  const app = join(folder, "app");
  const NAMES = ["MODEL_KEY", "GRAPHLIB_API_KEY", "GRAPHLIB_SECRET", "DATABASE_SCHEMA", "LD_LIBRARY_PATH", "UNNAMED"];
  const headers = { authorization: "${{ env.GRAPHLIB_SECRET }}" };
  const own = { env: NAMES.slice(0, -1), webhooks: { env_prefix: "GRAPHLIB_", headers } };
  const environment = Object.fromEntries(NAMES.map((name) => [name, `${name}-of-the-server-0123456789`]));
  const auth = { "x-api-key": KEY };
  let server: TestServer;
  beforeAll(async () => {
    mkdirSync(app);
    writeFileSync(join(app, "graph.mjs"), GRAPH);
    writeFileSync(join(app, "graphlib.json"), config(own).body ?? "");
    server = await startServer({
      app,
      env: { ...environment, GRAPHLIB_API_KEY: KEY, DATABASE_SCHEMA: "graphlib" },
    });
  }, TEST_MS);
  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const seen = async (): Promise<unknown> => {
    const client = new Client({ apiUrl: server.url, apiKey: KEY });
    const values = await client.runs.wait(null, "probe", { input: { ask: [["variables", ...NAMES]] } });
    return JSON.parse((values as { answers: string[] }).answers[0] ?? "");
  };
  const redeploy = async (source: object): Promise<void> => {
    expect((await call(server, "PATCH", "/deployments/default", { source }, auth)).status).toBe(200);
    expect((await call(server, "POST", "/deployments/default/revisions", {}, auth)).status).toBe(201);
    await untilState(server, "default", ["live"], auth);
  };

  test("reach the operator's own folder only when it names them, and never when they are the platform's", async () => {
    expect(await seen()).toEqual([environment.MODEL_KEY, null, null, null, null, null]);
    await expect
      .poll(() => server.output())
      .toContain("the variable GRAPHLIB_SECRET is not set: webhooks go without these headers");
  });

  test("and an env file elsewhere reach a folder that is served in place", async () => {
    writeFileSync(join(folder, "shared.env"), "UNNAMED=by the operator\n");
    writeFileSync(join(app, "graphlib.json"), config({ ...own, env: "../shared.env" }).body ?? "");
    await redeploy({ type: "folder", path: app, in_place: true });
    expect(await seen()).toEqual([null, null, null, null, null, environment.UNNAMED]);
  });

  test("do not reach another source that is deployed as default", async () => {
    const sent = await fetch(`${server.url}/api/uploads`, {
      method: "PUT",
      headers: { "content-type": "application/octet-stream", ...auth },
      body: new Uint8Array(tarGz([config({ env: NAMES }), graph])),
    });
    const { upload_id } = (await sent.json()) as { upload_id: string };
    await redeploy({ type: "upload", upload_id });
    expect(await seen()).toEqual(NAMES.map(() => null));
  });
});
