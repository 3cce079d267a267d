/** Deploys sources with one fault each over a revision that serves. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@langchain/langgraph-sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { DeploymentRecord } from "../../lib/protocol/control.ts";
import type { LogLine, Revision, RevisionProblem, RevisionState } from "../../lib/protocol/revisions.ts";
import { tarGz } from "../support/archives.ts";
import {
  BASE,
  type Broken,
  compilations,
  configurations,
  first,
  graphs,
  json,
  packages,
  starts,
} from "./broken-sources.ts";
import { call, untilBuilt } from "../support/control.ts";
import { branch, git, type GitServer, makeRepository, serveGit } from "../support/git-server.ts";
import { descendantsOf, isStillThere } from "../support/process-tree.ts";
import { useServer } from "../support/use-server.ts";

const TOKEN = "t0ken-of-the-repository";
const WRONG_TOKEN = "t0ken-of-another";
const folder = mkdtempSync(join(tmpdir(), "graphlib-bad-"));
const repository = join(folder, "open", "bot");
const trace = join(folder, "ran");
let host: GitServer;
let guarded: GitServer;
const server = useServer({
  own: true,
  env: { GRAPHLIB_BUILD_SLOTS: "3" },
  errors: [/^\[bot\] Uncaught exception in the application: Error: (too late|listen EADDRINUSE)/],
});

beforeAll(async () => {
  makeRepository(repository, BASE);
  makeRepository(join(folder, "closed", "bot"), BASE);
  host = await serveGit(join(folder, "open"));
  guarded = await serveGit(join(folder, "closed"), { auth: `x:${TOKEN}` });
  const { port } = new URL(server.url);
  const environment = { variables: { SQUAT: port }, plain: ["SQUAT"] };
  const made = { source: open("main"), settings: { memory_mb: 128 }, environment };
  await Promise.all(["bot", "loop"].map((name) => call(server, "POST", "/deployments", { name, ...made })));
  await Promise.all(["bot", "loop"].map((name) => untilBuilt(server, name)));
  // The endless load takes a minute and runs beside all other tests. It blocks its thread without processor time.
  await deploy("loop", {
    source: open(branch(repository, "loops", first("Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);"))),
  });
});
afterAll(async () => {
  await Promise.all([host.close(), guarded.close()]);
  rmSync(folder, { recursive: true, force: true });
});

function open(ref: string, more: object = {}): object {
  return { type: "git", url: `${host.origin}/bot/.git`, ref, ...more };
}

/** Deploys a new revision from another source. */
async function deploy(name: string, change: { source: object; credentials?: object | null }): Promise<void> {
  expect((await call(server, "PATCH", `/deployments/${name}`, change)).status).toBe(200);
  expect((await call(server, "POST", `/deployments/${name}/revisions`, {})).status).toBe(201);
}

async function outputOf(name: string): Promise<unknown> {
  const client = new Client({ apiUrl: `${server.url}/agents/${name}` });
  return await client.runs.wait(null, "agent", { input: { said: "" } });
}

async function logOf({ deployment, number }: Revision): Promise<string> {
  const path = `/deployments/${deployment}/revisions/${number}/log?after=-1`;
  return (await call<LogLine[]>(server, "GET", path)).json.map(({ text }) => text).join("\n");
}

/** The revisions whose files exist. */
function revisionsOf(name: string): string[] {
  return readdirSync(join(server.home, "deployments", name, "revisions"));
}

/** Expects that the newest revision has failed in this way, and that the earlier one still serves. */
async function expectFailed(
  name: string,
  state: RevisionState,
  problem: Partial<Record<keyof RevisionProblem, unknown>>,
): Promise<void> {
  const failed = await untilBuilt(server, name);
  expect(failed).toMatchObject({ state, problem: { fix: expect.stringMatching(/\w/), ...problem } });
  const reported = JSON.stringify(failed.problem);
  expect(reported).not.toMatch(/\\n\s+at |t0ken/);
  for (const path of [server.home, folder, process.cwd()]) expect(reported).not.toContain(path);
  const log = await logOf(failed);
  expect(log).not.toContain(server.home);
  expect(log).not.toContain("t0ken");

  const shown = await call<DeploymentRecord>(server, "GET", `/deployments/${name}`);
  expect(shown.json).toMatchObject({ live: 1, status: "ready", newest: { number: failed.number, state } });
  expect(await outputOf(name)).toEqual({ said: "hello" });
  await expect.poll(() => revisionsOf(name)).toEqual(["1"]);
}

describe("a source that cannot be fetched", { timeout: 120_000 }, () => {
  const at = (url: string) => ({ type: "git", url });
  test.each<[string, () => Parameters<typeof deploy>[1], RegExp, RegExp]>([
    ["is no repository", () => ({ source: at(`${host.origin}/none`) }), /There is no repository .*\/none/, /address/],
    [
      "is closed to everybody",
      () => ({ source: at(`${guarded.origin}/bot/.git`) }),
      /needs credentials, or does not exist$/,
      /give a token/,
    ],
    [
      "is closed to this token",
      () => ({ source: at(`${guarded.origin}/bot/.git`), credentials: { token: WRONG_TOKEN } }),
      /does not let this token read/,
      /has not expired/,
    ],
    [
      "has no such branch",
      () => ({ source: open("mian"), credentials: null }),
      /no branch, tag or commit mian$/,
      /main\?/,
    ],
    ["has no such folder", () => ({ source: open("main", { folder: "apps" }) }), /has no folder apps$/, /\w/],
    [
      "links to what is not its own",
      () => ({ source: open(branch(repository, "links", { ...BASE, "docs/out": { link: "/etc/passwd" } })) }),
      /^The link "docs\/out" leads out of the repository$/,
      /^Remove the link/,
    ],
  ])("because it %s", async (_, change, message, fix) => {
    await deploy("bot", change());
    const problem = { step: "cloning", message: expect.stringMatching(message), fix: expect.stringMatching(fix) };
    await expectFailed("bot", "source_failed", problem);
  });
});

const all: [RevisionState, string, Broken[]][] = [
  ["config_failed", "a configuration that", configurations],
  ["install_failed", "a package that", packages],
  ["build_failed", "code that", compilations],
  ["start_failed", "code that at its start", starts],
  ["health_failed", "a graph that", graphs],
];

describe.each(all)("%s:", { timeout: 300_000 }, (state, which, cases) => {
  test.each(cases)(`${which} $what`, async ({ what, files, problem: { message, fix, ...place } }) => {
    await deploy("bot", { source: open(branch(repository, what.replaceAll(/\W+/g, "-"), files)) });
    await expectFailed("bot", state, {
      message: typeof message === "string" ? message : expect.stringMatching(message),
      fix: expect.stringMatching(fix),
      ...place,
    });
  });
});

describe("an archive", () => {
  const BYTES = { "content-type": "application/octet-stream" };
  async function upload(name: string, entries: Parameters<typeof tarGz>[0]): Promise<Revision> {
    const body = new Uint8Array(tarGz(entries));
    const sent = await fetch(`${server.url}/api/uploads`, { method: "PUT", headers: BYTES, body });
    const { upload_id } = (await sent.json()) as { upload_id: string };
    await call(server, "POST", "/deployments", { name, source: { type: "upload", upload_id } });
    return await untilBuilt(server, name);
  }
  const files = Object.entries(BASE).map(([name, body]) => ({ name, body }));

  test.each([
    [
      "larger",
      [{ name: "model.bin", body: Buffer.alloc(64 * 1024 ** 2), size: 3 * 1024 ** 3 }],
      "The archive holds more than 2 GB",
      /^Keep large files out/,
    ],
    [
      "linking",
      [{ name: "out", type: "2", link: "../../x" }],
      'The archive holds "out", a link that leads out of it',
      /^Pack/,
    ],
    ["above", [{ name: "../../x", body: "x" }], 'The archive holds "../../x", which leads out of it', /^Pack/],
  ] as const)("that is %s is refused with the reason", async (what, entries, message, fix) => {
    expect(await upload(what, [...files, ...entries])).toMatchObject({
      state: "source_failed",
      problem: { step: "cloning", message, fix: expect.stringMatching(fix) },
    });
    await expect.poll(() => revisionsOf(what)).toEqual([]);
  });
});

describe("an unusual source is served:", () => {
  async function served(name: string, source: object): Promise<Revision> {
    await call(server, "POST", "/deployments", { name, source });
    const live = await untilBuilt(server, name);
    expect(live).toMatchObject({ state: "live", problem: null });
    expect(await outputOf(name)).toEqual({ said: "hello" });
    return live;
  }

  test("two configurations, and the log names the one that is read", async () => {
    const other = json({ graphs: { other: "./other.mjs:graph" } });
    const live = await served("two", open(branch(repository, "two", { ...BASE, "langgraph.json": other })));
    expect(live.graphs).toEqual(["agent"]);
    expect(await logOf(live)).toContain("graphlib.json is read and langgraph.json is not: both are there.");
  });

  test("file names with any characters", async () => {
    const names = ["line\nbreak.txt", "tab\there", '"quoted"', "-n", "--help", "$(id)", "ü 😀", "node_modules\n/x"];
    const files = { ...BASE, ...Object.fromEntries(names.map((name) => [name, "x"])) };
    const live = await served("letters", open(branch(repository, "letters", files)));
    const root = join(server.home, "deployments", "letters", "revisions", String(live.number));
    expect(readdirSync(root)).toEqual(expect.arrayContaining(["line\nbreak.txt", "--help"]));
  });

  test("hooks, filters, settings and scripts, none of which is run", async () => {
    const run = `touch ${trace}`;
    const files = {
      ...BASE,
      ".gitattributes": "* filter=evil diff=evil merge=evil\n",
      ".gitconfig": `[filter "evil"]\n smudge = ${run}\n required = true\n[core]\n fsmonitor = ${run}\n`,
      ".githooks/post-checkout": `#!/bin/sh\n${run}\n`,
      ".npmrc": `git=${join(folder, "evil")}\nscript-shell=${join(folder, "evil")}\nnode-options=--require ./evil.cjs\n`,
      "evil.cjs": `require("node:fs").writeFileSync(${JSON.stringify(trace)}, "");\n`,
      "package.json": json({
        name: "x",
        private: true,
        scripts: { preinstall: run, install: run, postinstall: run, prepare: run },
        dependencies: { "@langchain/langgraph": "1.4.18", "@langchain/core": "1.2.13" },
      }),
    };
    await served("hooks", open(branch(repository, "hooks", files)));
    expect(existsSync(trace)).toBe(false);
  }, 300_000);

  test("a folder whose repository configures programs for git to run", async () => {
    const work = join(folder, "work");
    makeRepository(work, BASE);
    for (const [name, value] of [
      ["core.fsmonitor", `touch ${trace}`],
      ["core.hooksPath", join(work, "hooks")],
      ["filter.evil.clean", `touch ${trace}`],
    ]) {
      git(work, "config", name ?? "", value ?? "");
    }
    const live = await served("work", { type: "folder", path: work });
    expect(live.commit?.message).toBe("first");
    expect(existsSync(trace)).toBe(false);
  });
});

test("a graph that never finishes loading is ended after a minute, with the reason", async () => {
  await expectFailed("loop", "start_failed", {
    step: "starting",
    message: "The code does not start: its graphs did not load within 60 s",
    fix: expect.stringMatching(/^Look for a loop without an end/),
  });
}, 150_000);

test("in the end the server serves, and no file or process of a failed build is left", async () => {
  expect((await fetch(`${server.url}/ok`)).status).toBe(200);
  expect(await outputOf("bot")).toEqual({ said: "hello" });
  expect(readdirSync(join(server.home, "work"))).toEqual([]);
  const processes = descendantsOf(server.pid);
  const commands = processes.map(({ pid }) => readFileSync(`/proc/${pid}/cmdline`, "utf8"));
  // The keeper, fence or shell in front of a worker has its file in the command too.
  const isNode = (command: string): boolean => command.split("\0", 1)[0]?.endsWith("/node") ?? false;
  const workers = commands.filter((command) => isNode(command) && command.includes("lib/worker/main.ts"));
  const { json: shown } = await call<DeploymentRecord[]>(server, "GET", "/deployments");
  expect(workers.length).toBe(shown.filter(({ live }) => live !== null).length);
  await server.stop();
  await expect.poll(() => processes.filter(isStillThere), { timeout: 10_000 }).toEqual([]);
});
