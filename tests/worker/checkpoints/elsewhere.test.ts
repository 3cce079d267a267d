/** What a run holds of checkpoints while others change them, and when it cannot hold all. */
import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import type { CheckpointTuple } from "@langchain/langgraph-checkpoint";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { RunOrder } from "../../../lib/protocol/worker.ts";
import { callInRun } from "../../support/saver-calls.ts";
import { type WorkerWithDatabase, startWorkerWithDatabase } from "../../support/worker-with-database.ts";

let worker: WorkerWithDatabase;
beforeAll(async () => {
  worker = await startWorkerWithDatabase("threads", { saver: "./graphs.js:saver", chat: "./graphs.js:chat" }, 2);
});
afterAll(() => worker.stop());

const place = (thread: string, ns = "", id?: string) => ({
  configurable: { thread_id: thread, checkpoint_ns: ns, ...(id !== undefined && { checkpoint_id: id }) },
});
const say = (content: string) => ({ messages: [{ role: "user", content }] });

const metadata = { source: "loop", step: 0, parents: {} };
const checkpointAt = (id: number, texts: string[], versions: object) => ({
  v: 4,
  id: `1f000000-0000-6000-8000-${String(id).padStart(12, "0")}`,
  ts: "",
  versions_seen: {},
  channel_values: { messages: texts.map((text) => new AIMessage({ content: text, id: text })), n: 1 },
  channel_versions: versions,
});

interface Values {
  messages: { content: string }[];
}

async function chat(thread: string, content: string, configurable: object = {}): Promise<string[]> {
  const config = { configurable: { thread_id: thread, ...configurable } };
  const { error, parsedEvents } = await worker.run({ graph: "chat", input: say(content), config, durability: "async" });
  expect(error).toBeUndefined();
  const last = parsedEvents.at(-1)?.data as Values | undefined;
  return last?.messages.map(({ content: text }) => text) ?? [];
}

/** Makes a change right after the next checkpoint is read from the database. */
function afterNextRead(change: () => Promise<unknown>): void {
  const { checkpoints } = worker;
  const { get } = checkpoints;
  checkpoints.get = async (...query) => {
    const found = await get(...query);
    checkpoints.get = get;
    await change();
    return found;
  };
}

/** Returns the ids that the host was asked for while `work` went on; undefined stands for the newest. */
async function askedDuring(work: () => Promise<unknown>): Promise<(string | undefined)[]> {
  const { checkpoints } = worker;
  const { get } = checkpoints;
  const asked: (string | undefined)[] = [];
  checkpoints.get = (scope, query) => {
    asked.push(query?.id);
    return get(scope, query);
  };
  try {
    await work();
  } finally {
    checkpoints.get = get;
  }
  return asked;
}

test("a run whose order names the checkpoint that its process holds asks for none", async () => {
  expect(await askedDuring(() => chat("held", "one"))).toEqual([]);
  expect(await askedDuring(() => chat("held", "two"))).toEqual([]);
  expect(await chat("held", "three")).toEqual(["one", "1 so far", "two", "3 so far", "three", "5 so far"]);
});

test("a run asks for the newest checkpoint if another process has put it", async () => {
  await chat("away", "one");
  const config = { configurable: { thread_id: "away" } };
  await worker.run({ graph: "chat", input: say("two"), config, durability: "async" }, 1);
  const asked = await askedDuring(async () => {
    expect(await chat("away", "three")).toEqual(["one", "1 so far", "two", "3 so far", "three", "5 so far"]);
  });
  expect(asked).toEqual([undefined]);
});

test.each<[string, Partial<RunOrder>]>([
  ["has not named one", { head: undefined }],
  ["has named one that the process does not hold", { head: "1f000000-0000-6000-8000-ffffffffffff" }],
])("a run reads its thread if the order %s", async (what, order) => {
  const config = { configurable: { thread_id: what } };
  await chat(what, "one");
  const asked = await askedDuring(async () => {
    const ending = await worker.run({ graph: "chat", input: say("two"), config, durability: "async", ...order });
    expect(ending.parsedEvents.at(-1)?.data).toMatchObject({ messages: { length: 4 } });
  });
  expect(asked).toEqual([undefined]);
});

test("a run sees the newest checkpoint of another thread each time that it reads it", async () => {
  await chat("other", "one");
  afterNextRead(() => chat("other", "two"));
  const read: [string, unknown] = ["getTuple", place("other")];
  const config = { configurable: { thread_id: "own" } };
  const [before, after] = (await callInRun(
    worker,
    [read, read],
    { config, durability: "async" },
    1,
  )) as CheckpointTuple[];
  const lengths = [before, after].map(
    (tuple) => (tuple?.checkpoint.channel_values.messages as unknown[] | undefined)?.length,
  );
  expect(lengths).toEqual([2, 4]);
});

test("a run sees what others do to a thread that is not its own, also after it has put a checkpoint there", async () => {
  const config = { configurable: { thread_id: "own" } };
  const [first, second] = [checkpointAt(1, ["a"], { messages: 1 }), checkpointAt(2, ["b"], { messages: 2 })];
  afterNextRead(() => callInRun(worker, [["put", place("third", "", first.id), second, metadata, { messages: 2 }]]));
  const [, , read] = (await callInRun(
    worker,
    [
      ["put", place("third"), first, metadata, { messages: 1 }],
      ["getTuple", place("own", "none")],
      ["getTuple", place("third")],
    ],
    { config, durability: "async" },
    1,
  )) as CheckpointTuple[];
  expect(read?.checkpoint.id).toBe(second.id);
});

async function newestId(thread: string): Promise<string> {
  const found = await worker.checkpoints.get({ thread, ns: "" });
  return found && "checkpoint" in found ? found.checkpoint.id : expect.unreachable();
}

test("a run that goes on from another branch does so when that is pruned meanwhile", async () => {
  await chat("forked", "one");
  const fork = await newestId("forked");
  await chat("forked", "left");
  const left = await newestId("forked");
  await chat("forked", "right", { checkpoint_id: fork });
  afterNextRead(() => worker.checkpoints.prune("forked"));
  const expected = ["one", "1 so far", "left", "3 so far", "on", "5 so far"];
  expect(await chat("forked", "on", { checkpoint_id: left })).toEqual(expected);
  expect((await chat("forked", "last")).slice(0, 6)).toEqual(expected);
});

test("a checkpoint whose base is not held any more is stored and read whole", async () => {
  const thread = "many";
  const first = checkpointAt(1, ["a"], { messages: 1, n: 1 });
  const next = checkpointAt(2, ["a", "b"], { messages: 2, n: 1 });
  const others = Array.from({ length: 300 }, (_, n): [string, ...unknown[]] => {
    return ["put", place(thread, `ns-${n}`), first, metadata, { messages: 1, n: 1 }];
  });
  const config = { configurable: { thread_id: thread } };
  await callInRun(
    worker,
    [
      ["put", place(thread), first, metadata, { messages: 1, n: 1 }],
      ...others,
      ["put", place(thread, "", first.id), next, metadata, { messages: 2 }],
    ],
    { config, durability: "async" },
  );
  for (const process of [0, 1]) {
    const read: [string, unknown] = ["getTuple", place(thread)];
    const [tuple] = (await callInRun(worker, [read], { config, durability: "async" }, process)) as CheckpointTuple[];
    const values = tuple?.checkpoint.channel_values as { messages: BaseMessage[]; n: number } | undefined;
    expect(values?.messages.map(({ text }) => text)).toEqual(["a", "b"]);
    expect(values?.n).toBe(1);
  }
});
