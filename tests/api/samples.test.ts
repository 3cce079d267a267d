/** Deploys typical layouts of LangGraph.js projects with their own package managers, and runs their graphs. */
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@langchain/langgraph-sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { INSTALL_MS } from "../support/built-packages.ts";
import { call, untilBuilt } from "../support/control.ts";
import { type Files, git, type GitServer, makeRepository, serveGit } from "../support/git-server.ts";
import { odd, ODD_FILES, YARN_1, YARN_4 } from "../support/odd-package.ts";
import { useServer } from "../support/use-server.ts";

const APPS = join(import.meta.dirname, "..", "drivers", "apps");
const folder = mkdtempSync(join(tmpdir(), "graphlib-samples-"));
let host: GitServer;
const server = useServer({ own: true });

beforeAll(async () => {
  host = await serveGit(join(folder, "host"));
});
afterAll(async () => {
  await host.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Sample {
  name: string;
  /** A folder of `tests/drivers/apps`. */
  app?: string;
  files?: Files;
  /** The application's folder in the repository. */
  inside?: string;
  /** The note of the install step. */
  note: string;
  /** Input and expected output of each graph. */
  runs: Record<string, [input: object, output: unknown]>;
}

const oddFiles = (lock: string): Files => ({ ...ODD_FILES, "package.json": odd(), "yarn.lock": lock });
const oddRuns: Sample["runs"] = { odd: [{ n: 3 }, { n: 3, odd: true }] };

const samples: Sample[] = [
  {
    name: "single",
    app: "single",
    note: "npm, lockfile",
    runs: {
      agent: [
        { messages: [{ role: "user", content: "hello" }] },
        { messages: [expect.anything(), expect.objectContaining({ type: "ai", content: "HELLO!" })] },
      ],
    },
  },
  {
    name: "monorepo",
    app: "monorepo",
    inside: "apps/agents",
    note: "npm, lockfile",
    runs: { counter: [{ n: 1 }, { n: 2 }], parity: [{ n: 1 }, { n: 1, odd: false }] },
  },
  {
    name: "aliases",
    app: "aliases",
    note: "pnpm, lockfile",
    runs: { agent: [{ n: 2 }, { n: 2, said: "green" }] },
  },
  {
    name: "langgraph-only",
    app: "langgraph-only",
    note: "nothing to install",
    runs: { echo: [{ said: "hello" }, { said: "hello" }] },
  },
  { name: "yarn-1", files: oddFiles(YARN_1), note: "yarn, lockfile", runs: oddRuns },
  { name: "yarn-4", files: oddFiles(YARN_4), note: "yarn, lockfile", runs: oddRuns },
];

/** Pushes a sample and returns the address of its repository. */
function push({ name, app, files = {} }: Sample): string {
  const work = join(folder, "work", name);
  const bare = join(folder, "host", `${name}.git`);
  if (app === undefined) mkdirSync(work, { recursive: true });
  else cpSync(join(APPS, app), work, { recursive: true });
  mkdirSync(bare, { recursive: true });
  git(bare, "init", "--quiet", "--bare", "--initial-branch=main");
  makeRepository(work, files);
  git(work, "push", "--quiet", bare, "main");
  return `${host.origin}/${name}.git`;
}

test.concurrent.each(samples)(
  "$name is installed, goes live, and answers the official client",
  async (sample) => {
    const { name, inside, note, runs } = sample;
    const source = { type: "git", url: push(sample), ...(inside !== undefined && { folder: inside }) };
    expect((await call(server, "POST", "/deployments", { name, source })).status).toBe(201);
    const live = await untilBuilt(server, name);
    expect(live).toMatchObject({ state: "live", problem: null, graphs: Object.keys(runs) });
    expect(live.steps.find(({ step }) => step === "installing")).toMatchObject({ note });

    const client = new Client({ apiUrl: `${server.url}/agents/${name}` });
    for (const [graph, [input, output]] of Object.entries(runs)) {
      expect(await client.runs.wait(null, graph, { input: { ...input } })).toEqual(output);
      const { thread_id } = await client.threads.create();
      const streamed: unknown[] = [];
      for await (const event of client.runs.stream(thread_id, graph, { input: { ...input } })) streamed.push(event);
      expect(streamed.at(-1)).toMatchObject({ event: "values", data: output });
      expect((await client.threads.getState(thread_id)).values).toEqual(output);
    }
  },
  INSTALL_MS,
);
