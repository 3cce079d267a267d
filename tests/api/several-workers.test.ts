/** A deployment with three processes, over HTTP. Its graphs tell in which process they ran. */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, type Run } from "@langchain/langgraph-sdk";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import type { DeploymentRecord } from "../../lib/protocol/control.ts";
import type { ProcessCounts } from "../../lib/protocol/deployments.ts";
import { allOf } from "../support/all-of.ts";
import { call, untilState } from "../support/control.ts";
import { raw, rawStream } from "../support/raw.ts";
import { useServer } from "../support/use-server.ts";
import { message, rawA2a } from "./a2a-raw.ts";
import { type Gate, openGate } from "./gate.ts";

const WORKERS = 3;
const SLOTS = 2;
const app = join(import.meta.dirname, "apps", "several");
const server = useServer({
  own: true,
  app,
  env: { GRAPHLIB_WORKERS: String(WORKERS), GRAPHLIB_RUN_SLOTS: String(SLOTS) },
});

const folder = mkdtempSync(join(tmpdir(), "graphlib-several-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const gates: Gate[] = [];
afterEach(async () => {
  for (const gate of gates.splice(0)) {
    gate.open();
    await gate.close();
  }
});

async function newGate(): Promise<Gate> {
  const gate = await openGate();
  gates.push(gate);
  return gate;
}

interface State {
  pids: number[];
  name: string;
  said: unknown[];
}

const client = (deployment = "default"): Client => new Client({ apiUrl: `${server.url}/agents/${deployment}` });
const newThread = async (): Promise<string> => (await client().threads.create()).thread_id;
const newThreads = (count: number): Promise<string[]> => Promise.all(Array.from({ length: count }, newThread));

/** Executes a run of `where`, and returns the processes of all runs of the thread. */
async function pidsOn(thread: string): Promise<number[]> {
  // The graph returns its whole state.
  return ((await client().runs.wait(thread, "where", { input: {} })) as unknown as State).pids;
}

/** Returns the processes in which a gate's requests were made. */
const pidsAt = ({ paths }: Gate): string[] => paths.map((path) => path.split("/").at(-1) ?? "");

/** Returns one thread for each process, by the process, once all are ready. */
async function threadsByPid(): Promise<Map<number, string>> {
  await allReady();
  const found = new Map<number, string>();
  while (found.size < WORKERS) {
    const thread = await newThread();
    const [pid = 0] = await pidsOn(thread);
    found.set(pid, thread);
  }
  return found;
}

/** Resolves when all processes are ready, or ready again. */
async function allReady(deployment = "default", count = WORKERS): Promise<void> {
  const stream = await rawStream(`${server.url}/api/deployments/events`);
  await stream.until(({ event, data }) => {
    if (event !== "deployments") return false;
    const states = JSON.parse(data) as { name: string; processes?: ProcessCounts }[];
    return states.find(({ name }) => name === deployment)?.processes?.ready === count;
  });
  stream.leave();
}

const statusesOf = async (runs: readonly Run[]): Promise<string[]> =>
  (await Promise.all(runs.map(({ thread_id, run_id }) => client().runs.get(thread_id, run_id)))).map(
    ({ status }) => status,
  );

/** Stores a run on a thread that waits for a gate. */
const hold = (thread: string, gate: Gate): Promise<Run> =>
  client().runs.create(thread, "where", { input: { gate: gate.url } });

describe("runs of a deployment with three processes", () => {
  test("of one thread are executed in one process, and threads are spread over all of them", async () => {
    const threads = [...(await threadsByPid()).values()];
    for (let turn = 2; turn <= 5; turn++) {
      const all = await Promise.all(threads.map((thread) => pidsOn(thread)));
      for (const pids of all) expect([pids.length, new Set(pids).size]).toEqual([turn, 1]);
      expect(new Set(all.map(([pid]) => pid)).size).toBe(WORKERS);
    }
  });

  test("without a thread are shared alike, as many at a time as all processes have slots", async () => {
    await allReady();
    const gate = await newGate();
    const runs = Array.from({ length: WORKERS * SLOTS }, () =>
      client().runs.wait(null, "where", { input: { gate: gate.url } }),
    );
    await gate.counted(runs.length);
    for (const pid of new Set(pidsAt(gate))) expect(pidsAt(gate).filter((one) => one === pid)).toHaveLength(SLOTS);
    gate.open();
    const pids = (await Promise.all(runs)).map((state) => (state as unknown as State).pids[0]);
    expect(new Set(pids).size).toBe(WORKERS);
  });

  test("wait when all slots of all processes are taken", async () => {
    await allReady();
    const gate = await newGate();
    const threads = await newThreads(WORKERS * SLOTS + 2);
    const runs: Run[] = [];
    for (const thread of threads) runs.push(await hold(thread, gate));
    await gate.counted(WORKERS * SLOTS);
    expect((await statusesOf(runs)).toSorted()).toEqual([
      "pending",
      "pending",
      ...Array.from({ length: WORKERS * SLOTS }, () => "running"),
    ]);
    gate.open();
    await Promise.all(runs.map(({ thread_id, run_id }) => client().runs.join(thread_id, run_id)));
    expect(new Set(await statusesOf(runs))).toEqual(new Set(["success"]));
  });

  test("that are queued on one thread keep their order, and their process", async () => {
    const gate = await newGate();
    const thread = await newThread();
    await hold(thread, gate);
    const texts = Array.from({ length: 9 }, (_, n) => `${n}`);
    let last: Run | undefined;
    for (const said of texts) last = await client().runs.create(thread, "where", { input: { said: [said] } });
    gate.open();
    await client().runs.join(thread, last?.run_id ?? "");
    const { values } = await client().threads.getState<State>(thread);
    expect(values.said).toEqual(texts);
    expect([values.pids.length, new Set(values.pids).size]).toEqual([10, 1]);
  });

  test("stream their tokens, also to a second reader", async () => {
    const thread = await newThread();
    const run = await client().runs.create(thread, "speaks", {
      input: { messages: [{ role: "user", content: "hello" }] },
      streamMode: ["messages-tuple"],
      streamResumable: true,
    });
    const readers = await Promise.all(
      [1, 2].map(() =>
        allOf(client().runs.joinStream(thread, run.run_id, { streamMode: ["messages-tuple"], lastEventId: "-1" })),
      ),
    );
    for (const events of readers) {
      const words = events.flatMap(({ event, data }) => (event === "messages" ? [textOf(data)] : []));
      expect(words.join("")).toMatch(/^x{50}\d+$/);
    }
  });

  test("are cancelled wherever they are", async () => {
    await allReady();
    for (const thread of (await threadsByPid()).values()) {
      const gate = await newGate();
      const run = await hold(thread, gate);
      await gate.reached();
      await client().runs.cancel(thread, run.run_id, true);
      expect(await statusesOf([run])).toEqual(["interrupted"]);
    }
  });

  test("ask a person, and go on in the same process after the answer", async () => {
    for (const [pid, thread] of await threadsByPid()) {
      await client().runs.wait(thread, "where", { input: { asks: true } });
      expect((await client().threads.get(thread)).status).toBe("interrupted");
      await client().runs.wait(thread, "where", { command: { resume: "yes" } });
      const { values } = await client().threads.getState<State>(thread);
      expect(values).toMatchObject({ said: ["yes"], pids: [pid, pid, pid] });
    }
  });

  test("start from a state that was changed by hand", async () => {
    for (const [pid, thread] of await threadsByPid()) {
      await client().threads.updateState(thread, { values: { pids: [0] }, asNode: "question" });
      expect(await pidsOn(thread)).toEqual([pid, 0, pid]);
    }
  });
});

/** Returns the text of the first message of a tuple. */
function textOf(data: unknown): string {
  const [{ content }] = data as [{ content: string }];
  return content;
}

test("messages of one A2A context are answered by one process, and contexts are spread", async () => {
  const { send } = rawA2a(() => server);
  // With so many contexts, one of three processes gets none once in a million times.
  const contexts = Array.from({ length: 40 }, () => crypto.randomUUID());
  const answers = await Promise.all(
    contexts.map(async (contextId) => {
      const texts = [];
      for (let turn = 0; turn < 2; turn++) {
        const { artifacts = [] } = await send("speaks", message("hello", { contextId }));
        texts.push(JSON.stringify(artifacts).match(/"(?:x{50})?(\d+)"/)?.[1]);
      }
      expect(new Set(texts).size).toBe(1);
      return texts[0];
    }),
  );
  expect(answers).not.toContain(undefined);
  expect(new Set(answers).size).toBe(WORKERS);
});

test("routes of the application are answered by one process, which may keep state in memory", async () => {
  const answers = await Promise.all(Array.from({ length: 10 }, () => raw(`${server.url}/visits`)));
  const found = answers.map(({ text }) => JSON.parse(text) as { pid: number; visits: number });
  expect(new Set(found.map(({ pid }) => pid)).size).toBe(1);
  expect(Math.max(...found.map(({ visits }) => visits))).toBe(10);
});

test("a process that is killed is replaced: its runs are executed again elsewhere, all others go on", async () => {
  await allReady();
  const gate = await newGate();
  const threads = await threadsByPid();
  const runs = await Promise.all([...threads.values()].map((thread) => hold(thread, gate)));
  await gate.counted(WORKERS);
  const [victim = 0] = threads.keys();
  const before = pidsAt(gate);
  process.kill(victim, "SIGKILL");
  await gate.counted(WORKERS + 1);
  const [run, pid] = gate.paths.at(-1)?.split("/").slice(-2) ?? [];
  expect(run).toBe(runs[0]?.run_id);
  expect(pid).not.toBe(`${victim}`);
  expect(before).toContain(pid);
  expect((await raw(`${server.url}/ok`)).status).toBe(200);
  gate.open();
  await Promise.all(runs.map(({ thread_id, run_id }) => client().runs.join(thread_id, run_id)));
  expect(await statusesOf(runs)).toEqual(["success", "success", "success"]);
  expect(gate.paths).toHaveLength(WORKERS + 1);
  await allReady();
  expect(server.output()).toMatch(/process \d of 3: worker ended: signal SIGKILL; starts again in 0\.1 s/);
});

describe("the setting workers", () => {
  const get = async (name: string): Promise<DeploymentRecord> =>
    (await call<DeploymentRecord>(server, "GET", `/deployments/${name}`)).json;

  test("of the default deployment is GRAPHLIB_WORKERS", async () => {
    expect((await get("default")).settings.workers).toBe(WORKERS);
  });

  test.each([0, 17, 1.5, "2", null])("%j is refused", async (workers) => {
    const answer = await call(server, "PATCH", "/deployments/default", { settings: { workers } });
    expect(answer).toMatchObject({ status: 422, text: expect.stringContaining("settings.workers") });
  });

  test("of a deployment takes effect with its next revision", async () => {
    cpSync(join(app, "graphs.mjs"), join(folder, "graphs.mjs"));
    writeFileSync(join(folder, "graphlib.json"), JSON.stringify({ graphs: { where: "./graphs.mjs:where" } }));
    const bot = { name: "bot", source: { type: "folder", path: folder } };
    const made = await call<DeploymentRecord>(server, "POST", "/deployments", bot);
    expect(made.json.settings.workers).toBe(1);
    await untilState(server, "bot", ["live"]);
    const processes = async (): Promise<number> => {
      const runs = Array.from({ length: 12 }, () => client("bot").runs.wait(null, "where", { input: {} }));
      const names = (await Promise.all(runs)).map((state) => (state as unknown as State).name);
      return new Set(names).size;
    };
    expect(await processes()).toBe(1);
    await call(server, "PATCH", "/deployments/bot", { settings: { workers: 2 } });
    expect(await processes()).toBe(1);
    await call(server, "POST", "/deployments/bot/revisions", {});
    await allReady("bot", 2);
    expect(await processes()).toBe(2);
    expect((await get("bot")).settings).toMatchObject({ workers: 2, memory_mb: 512 });
    const log = await call(server, "GET", "/deployments/bot/log?after=-1");
    for (const process of [1, 2]) expect(log.text).toContain(`process ${process} of 2: worker ready in`);
  });

  test("of the default deployment follows GRAPHLIB_WORKERS when the server starts again", async () => {
    await server.drain();
    await server.startAgain({ GRAPHLIB_WORKERS: "2" });
    await allReady("default", 2);
    expect((await get("default")).settings.workers).toBe(2);
    expect((await get("bot")).settings.workers).toBe(2);
  });
});
