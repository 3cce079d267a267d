import { Command, type CompiledGraph, MemorySaver } from "@langchain/langgraph";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Command as CommandInput, Durability } from "../../lib/protocol/runs.ts";
import { jsonOf } from "../../lib/worker/plain.ts";
import { asks, delta } from "./apps/threads/graphs.js";
import { type WorkerWithDatabase, startWorkerWithDatabase } from "../support/worker-with-database.ts";

const graphs = {
  chat: "./graphs.js:chat",
  asks: "./graphs.js:asks",
  delta: "./graphs.js:delta",
};
let worker: WorkerWithDatabase;
beforeAll(async () => {
  worker = await startWorkerWithDatabase("threads", graphs, 2);
});
afterAll(() => worker.stop());

let threads = 0;
const newThread = (): string => `thread-${++threads}`;

interface Step {
  input?: unknown;
  command?: CommandInput;
  durability?: Durability;
  configurable?: Record<string, unknown>;
  process?: number;
}

/** Runs a graph on a thread; returns the last values. */
async function go(graph: string, thread: string, { configurable, process, ...step }: Step): Promise<unknown> {
  const config = { configurable: { thread_id: thread, ...configurable } };
  const { status, error, parsedEvents } = await worker.run({ graph, config, ...step }, process);
  expect(error).toBeUndefined();
  expect(status).toBe("success");
  return parsedEvents.at(-1)?.data;
}

const say = (content: string) => ({ messages: [{ role: "user", content }] });
const contents = (values: unknown): string[] =>
  (values as { messages: { content: string }[] }).messages.map(({ content }) => content);

describe("a thread", () => {
  test.each(["sync", "async", "exit"] as const)(
    "goes on, in this process and in another one (%s)",
    async (durability) => {
      const thread = newThread();
      await go("chat", thread, { input: say("hi"), durability });
      expect(contents(await go("chat", thread, { input: say("ho"), durability }))).toEqual([
        "hi",
        "1 so far",
        "ho",
        "3 so far",
      ]);
      expect(contents(await go("chat", thread, { input: say("he"), durability, process: 1 }))).toHaveLength(6);
    },
  );

  /** Does what the graph `chat` does, in a few lines. */
  const play = (state: string[], text: string): string[] => {
    const [word, index, ...rest] = text.split(" ");
    const texts = [...state, text];
    const at = Number(index) % texts.length;
    if (word === "forget") return texts.toSpliced(at, 1);
    if (word === "edit") return texts.with(at, `edited: ${rest[0]}`);
    if (word === "swap") return texts.with(at, `swapped: ${rest[0]}`);
    return [...texts, `${texts.length} so far`];
  };
  const turn = fc.record({
    text: fc.oneof(
      fc.constant("say"),
      fc.tuple(fc.constantFrom("forget", "edit", "swap"), fc.nat(20), fc.nat(9)).map((words) => words.join(" ")),
    ),
    durability: fc.constantFrom<Durability>("sync", "async", "exit"),
    process: fc.nat(1),
  });

  test("holds the results of its turns, wherever they change it and whichever process they run in", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 20 }), async (turns) => {
        const thread = newThread();
        let expected: string[] = [];
        for (const { text, durability, process } of turns) {
          expected = play(expected, text);
          expect(contents(await go("chat", thread, { input: say(text), durability, process }))).toEqual(expected);
        }
      }),
      { numRuns: 40 },
    );
  });

  test("branches from one checkpoint, and each branch has its own messages", async () => {
    const thread = newThread();
    await go("chat", thread, { input: say("one") });
    const found = await worker.checkpoints.get({ thread, ns: "" });
    const fork = found && "checkpoint" in found ? found.checkpoint.id : expect.unreachable();
    const on = ["one", "1 so far"];
    const configurable = { checkpoint_id: fork };
    for (const word of ["left", "right", "middle"]) {
      const values = await go("chat", thread, { input: say(word), configurable });
      expect(contents(values)).toEqual([...on, word, "3 so far"]);
    }
    expect(contents(await go("chat", thread, { input: say("left"), configurable }))).toEqual([
      ...on,
      "left",
      "3 so far",
    ]);
    expect(contents(await go("chat", thread, { input: say("on") }))).toHaveLength(6);
  });

  test("costs as much to continue when it is long as when it is short", async () => {
    const thread = newThread();
    const costs: number[] = [];
    for (let turn = 0; turn < 100; turn++) {
      const begun = worker.crossed();
      await go("chat", thread, { input: say("hello") });
      costs.push(worker.crossed() - begun);
    }
    expect(costs[99]).toBeLessThan((costs[4] ?? 0) * 1.1);
  });

  test("is read again after it was changed elsewhere", async () => {
    const [thread, other] = [newThread(), newThread()];
    await go("chat", thread, { input: say("one") });
    await go("chat", other, { input: say("uno") });
    await worker.checkpoints.deleteThread({ run: "host", token: 0 }, thread);
    await worker.checkpoints.copyThread(other, thread);
    expect(contents(await go("chat", thread, { input: say("two") }))).toEqual(["uno", "1 so far", "two", "3 so far"]);
  });

  test("continues after it was pruned in between", async () => {
    const thread = newThread();
    for (const word of ["one", "two"]) await go("chat", thread, { input: say(word) });
    await worker.checkpoints.prune(thread);
    expect(contents(await go("chat", thread, { input: say("three") }))).toHaveLength(6);
    expect(contents(await go("chat", thread, { input: say("four"), process: 1 }))).toHaveLength(8);
  });
});

/** Removes the ids of interrupts, which are made of the ids of checkpoints. */
function withoutIds(values: unknown): unknown {
  return JSON.parse(jsonOf(values).replaceAll(/"id":"[0-9a-f]{32}"/g, '"id":""'));
}

describe.each(["sync", "async", "exit"] as const)("with durability %s", (durability) => {
  const conversations: [graph: "asks" | "delta", steps: Step[]][] = [
    [
      "asks",
      [{ input: { log: ["in"] } }, { command: { resume: "a" } }, { command: { resume: "b" } }, { input: { log: [] } }],
    ],
    ["delta", [{ input: { n: 0, log: [] } }, ...["a", "b", "c"].map((resume) => ({ command: { resume } }))]],
  ];
  test.each(conversations)("%s goes as with LangGraph's own saver, in one process or another", async (graph, steps) => {
    const thread = newThread();
    const inMemory = application(graph);
    for (const [index, step] of steps.entries()) {
      const input = step.command ? new Command({ resume: step.command.resume }) : step.input;
      const expected: unknown = await inMemory.invoke(input, { configurable: { thread_id: thread }, durability });
      const values = await go(graph, thread, { ...step, durability, process: index % 2 });
      expect(withoutIds(values)).toEqual(withoutIds(expected));
    }
  });
});

/** Returns a graph that runs in this process, with LangGraph's own saver. */
function application(graph: "asks" | "delta"): CompiledGraph<string> {
  const compiled = { asks, delta }[graph] as unknown as CompiledGraph<string>;
  return Object.assign(compiled.withConfig({}), { checkpointer: new MemorySaver() });
}

test.each(["sync", "async", "exit"] as const)(
  "a run of which a checkpoint cannot be stored fails, and its thread goes on from the last that could (%s)",
  async (durability) => {
    const thread = newThread();
    await go("chat", thread, { input: say("hi"), durability });
    const { checkpoints } = worker;
    const { put, change } = checkpoints;
    let puts = 0;
    const failsFirst =
      <A extends unknown[], R>(store: (...given: A) => Promise<R>) =>
      (...given: A): Promise<R> =>
        ++puts === 1 ? Promise.reject(new Error("the disk is full")) : store(...given);
    Object.assign(checkpoints, { put: failsFirst(put), change: failsFirst(change) });
    try {
      const config = { configurable: { thread_id: thread } };
      const { status, error } = await worker.run({ graph: "chat", config, input: say("lost"), durability });
      expect([status, error?.message]).toEqual(["error", "The host could not answer"]);
    } finally {
      Object.assign(checkpoints, { put, change });
    }
    expect(contents(await go("chat", thread, { input: say("ho"), durability })).slice(0, 2)).toEqual([
      "hi",
      "1 so far",
    ]);
  },
);
