/** Kills the platform with SIGKILL in every state of a build. The build is held in that state. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@langchain/langgraph-sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Revision } from "../../lib/protocol/revisions.ts";
import { call, untilState } from "../support/control.ts";
import { commit, type GitServer, makeRepository, serveGit } from "../support/git-server.ts";
import { feedPipe, type Hold, makePipe, newHold, serveHeld } from "../support/holds.ts";
import { descendantsOf, isStillThere } from "../support/process-tree.ts";
import { startServer, type TestServer } from "../support/server.ts";

const folder = mkdtempSync(join(tmpdir(), "graphlib-build-faults-"));
/** A folder that the compiler can read inside of its fence. */
const kept = join(import.meta.dirname, "../../node_modules/.cache");
mkdirSync(kept, { recursive: true });
const pipes = mkdtempSync(join(kept, "build-faults-"));
const pipe = join(pipes, "pipe.json");
const repositories = join(folder, "repositories");

let git: GitServer;
const clones = newHold();
let held: { url: string; hold: Hold; close(): Promise<void> };
let server: TestServer;
let env: Record<string, string>;

const graph = (reply: string): string => `
import { AIMessage } from "@langchain/core/messages";
import { END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
const wait = async (where: string): Promise<unknown> => await fetch(process.env.HOLD + "/" + where + "/${reply}");
await wait("load");
const compiled = new StateGraph(MessagesAnnotation)
  .addNode("say", () => ({ messages: [new AIMessage("${reply}")] }))
  .addEdge(START, "say")
  .addEdge("say", END)
  .compile();
export const graph = async () => {
  await wait("draw");
  return compiled;
};
`;
const files = (reply: string): Record<string, string> => ({
  "graphlib.json": JSON.stringify({ graphs: { agent: "./src/agent.ts:graph" } }),
  "package.json": JSON.stringify({ name: "bot", private: true, type: "module", dependencies: { tiny: "1.0.0" } }),
  // The compiler and preflight read this file, and wait until it is written.
  "tsconfig.json": JSON.stringify({ extends: pipe }),
  "src/agent.ts": graph(reply),
});

beforeAll(async () => {
  mkdirSync(repositories);
  makePipe(pipe);
  makeRepository(join(repositories, "bot"), files("first"));
  makeRepository(join(repositories, "blocker"), files("blocker"));
  git = await serveGit(repositories);
  git.hold = clones.take;
  held = await serveHeld(join(folder, "registry"));
  env = { GRAPHLIB_BUILD_SLOTS: "1", npm_config_registry: `${held.url}/npm/` };
  server = await startServer({ env });
  await call(server, "POST", "/deployments", { name: "bot", ...bodyOf("bot") });
  await goOn("bot", 1);
});
afterAll(async () => {
  await server.stop();
  await Promise.all([git.close(), held.close()]);
  for (const one of [folder, pipes]) rmSync(one, { recursive: true, force: true });
});

function bodyOf(repository: string): object {
  const environment = { variables: { HOLD: held.url } };
  return { source: { type: "git", url: `${git.origin}/${repository}/.git` }, environment };
}

async function newest(name: string): Promise<Revision | undefined> {
  return (await call<Revision[]>(server, "GET", `/deployments/${name}/revisions?limit=1`)).json[0];
}

async function isIn(name: string, ...states: string[]): Promise<boolean> {
  return states.includes((await newest(name))?.state ?? "");
}

/** Releases all holds until the revision is live. */
async function goOn(name: string, number: number): Promise<Revision> {
  clones.release();
  held.hold.release();
  const isDone = async (): Promise<boolean> => {
    const one = await newest(name);
    return (
      one?.number === number && !/^(?:queued|cloning|validating|installing|building|starting|checking)$/.test(one.state)
    );
  };
  await feedPipe(pipe, { isOver: () => Promise.resolve(false), isDone });
  return await untilState(server, name, ["live"]);
}

async function currentReply(): Promise<string> {
  const client = new Client({ apiUrl: `${server.url}/agents/bot` });
  const values = (await client.runs.wait(null, "agent", { input: { messages: [] } })) as {
    messages: { content: string }[];
  };
  return values.messages.at(-1)?.content ?? "";
}

/** Holds the build of this text in a state; resolves when the hold is set. */
const holders: Record<string, (text: string) => Promise<void>> = {
  async queued() {
    clones.wants = (path) => path.includes("blocker");
    await call(server, "POST", "/deployments", { name: "blocker", ...bodyOf("blocker") });
    await clones.reached();
  },
  async cloning() {
    clones.wants = (path) => path.includes("bot");
  },
  async validating() {},
  async installing() {
    held.hold.wants = (path) => path === "/npm/tiny";
  },
  async building() {},
  async starting(text) {
    held.hold.wants = (path) => path === `/load/${text}`;
  },
  async checking(text) {
    held.hold.wants = (path) => path === `/draw/${text}`;
  },
};

/** Resolves when the build of `bot` is held in this state. Returns a function that lets the pipe's reader end. */
async function reach(state: string): Promise<(() => void) | undefined> {
  const isOver = async (): Promise<boolean> => isIn("bot", state);
  const isDone = async (): Promise<boolean> => state !== "validating" && state !== "building" && (await isOver());
  const release = await feedPipe(pipe, { isOver, isDone });
  if (state === "cloning") await clones.reached();
  if (/^(?:installing|starting|checking)$/.test(state)) await held.hold.reached();
  return release;
}

describe("a platform that is killed while a build is", () => {
  let before = "first";
  let number = 1;

  test.each(Object.keys(holders))(
    "%s leaves no process, serves the earlier revision, and finishes the build after its restart",
    async (state) => {
      const text = `text-${state}`;
      await holders[state]?.(text);
      commit(join(repositories, "bot"), files(text), state);
      await call(server, "POST", "/deployments/bot/revisions", {});
      number++;
      const release = await reach(state);
      expect(await newest("bot")).toMatchObject({ number, state });
      expect(await currentReply()).toBe(before);

      const processes = descendantsOf(server.pid);
      expect(processes.length).toBeGreaterThan(2);
      await server.crash();
      await expect.poll(() => processes.filter(isStillThere), { timeout: 60_000 }).toEqual([]);
      release?.();

      server = await startServer({ env, home: server.home });
      expect(await currentReply()).toBe(before);
      const live = await goOn("bot", number);
      expect(live).toMatchObject({ number, state: "live", problem: null });
      expect(await currentReply()).toBe(text);
      before = text;
    },
    600_000,
  );

  test("starting, three times, ends the build with the reason", async () => {
    const text = "never";
    await holders.starting?.(text);
    commit(join(repositories, "bot"), files(text), text);
    await call(server, "POST", "/deployments/bot/revisions", {});
    number++;
    for (let round = 0; round < 3; round++) {
      held.hold.release();
      await holders.starting?.(text);
      await reach("starting");
      const processes = descendantsOf(server.pid);
      await server.crash();
      await expect.poll(() => processes.filter(isStillThere), { timeout: 60_000 }).toEqual([]);
      server = await startServer({ env, home: server.home });
    }
    const failed = await untilState(server, "bot", ["start_failed"]);
    expect(failed).toMatchObject({ number, problem: { message: "The platform stopped 3 times during this build" } });
    expect(await currentReply()).toBe(before);
  }, 600_000);
});
