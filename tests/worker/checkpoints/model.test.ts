/** The checkpointer of a run does what LangGraph's own saver does, whatever it is asked for and in which order. */
import type { Checkpoint, CheckpointTuple, PendingWrite } from "@langchain/langgraph-checkpoint";
import { MemorySaver } from "@langchain/langgraph-checkpoint";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Durability } from "../../../lib/protocol/runs.ts";
import { callInRun } from "../../support/saver-calls.ts";
import { type WorkerWithDatabase, startWorkerWithDatabase } from "../../support/worker-with-database.ts";

let worker: WorkerWithDatabase;
beforeAll(async () => {
  worker = await startWorkerWithDatabase("threads", { saver: "./graphs.js:saver" }, 2);
});
afterAll(() => worker.stop());

type Call = [method: "put" | "putWrites" | "getTuple" | "deleteThread", ...args: unknown[]];

let ids = 0;
/** The parent of each checkpoint, by id. */
const parents = new Map<string, string | undefined>();
const newId = (): string => `1f000000-0000-6000-8000-${String(++ids).padStart(12, "0")}`;

const configOf = (thread: string, ns: string, id?: string) => ({
  configurable: { thread_id: thread, checkpoint_ns: ns, ...(id !== undefined && { checkpoint_id: id }) },
});

const metadataOf = ({ id }: Checkpoint) => ({ source: "loop", step: Number(id.slice(-6)), parents: {} });

/** The checkpoints of one thread and namespace, as a graph would make them. */
function branch(thread: string, ns: string) {
  let made: Checkpoint[] = [];
  /** The last checkpoint before the thread was deleted, from which a graph in the middle of a run goes on. */
  let deleted: Checkpoint | undefined;
  let version = 0;
  const pick = (which: number): Checkpoint | undefined => made.at(-1 - (which % Math.max(1, made.length)));
  return {
    id: (which: number): string | undefined => pick(which)?.id,
    forget(): void {
      deleted = made.at(-1) ?? deleted;
      made = [];
    },
    /** The next checkpoint after one of the last: some channels are new, a list grows or is replaced. */
    next(which: number, grows: number, replaces: boolean): Call {
      const before = pick(which) ?? deleted;
      const isAfterDeletion = made.length === 0;
      const id = newId();
      const versions = { ...before?.channel_versions };
      const values = { ...before?.channel_values };
      const fresh: Record<string, number> = {};
      const set = (channel: string, value: unknown): void => {
        fresh[channel] = versions[channel] = ++version;
        values[channel] = value;
      };
      const items = Array.from({ length: grows }, () => ({ text: id, at: version }));
      if (grows > 0 || replaces || isAfterDeletion)
        set("list", [...(replaces ? [] : ((values.list as unknown[]) ?? [])), ...items]);
      if (grows !== 1 || isAfterDeletion) set("n", version);
      const checkpoint = { v: 4, id, ts: "", channel_values: values, channel_versions: versions, versions_seen: {} };
      made.push(checkpoint);
      parents.set(id, before?.id);
      return ["put", configOf(thread, ns, before?.id), checkpoint, metadataOf(checkpoint), fresh];
    },
    /** The same checkpoint once more, as at the end of a run that saves only there. */
    again(which: number): Call | undefined {
      const same = pick(which);
      return same && ["put", configOf(thread, ns, same.id), same, metadataOf(same), {}];
    },
    writes(which: number, writes: PendingWrite[], task: string): Call | undefined {
      const id = this.id(which);
      return id === undefined ? undefined : ["putWrites", configOf(thread, ns, id), writes, task];
    },
  };
}

/** What both savers return alike. LangGraph's makes a checkpoint that is put again its own parent, so that is not compared. */
function seenIn(result: unknown): Pick<Checkpoint, "id" | "channel_values" | "channel_versions"> | undefined {
  const tuple = result as CheckpointTuple | undefined;
  if (!tuple?.checkpoint) return undefined;
  const { checkpoint, metadata, pendingWrites } = tuple;
  const { id, channel_values, channel_versions } = checkpoint;
  const writes = (pendingWrites ?? []).map((write) => JSON.stringify(write)).toSorted();
  const seen = { id, channel_values, channel_versions, step: metadata?.step, writes };
  return seen;
}

const which = fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.nat(3));
const place = { thread: fc.constantFrom("own", "other"), ns: fc.constantFrom("", "below") };
const write = fc.tuple(
  fc.constantFrom("list", "n", "__error__", "__interrupt__"),
  fc.nat(9),
) as fc.Arbitrary<PendingWrite>;
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("next" as const),
      ...place,
      which,
      grows: fc.nat(2),
      replaces: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("again" as const), ...place, which }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("writes" as const),
      ...place,
      which,
      writes: fc.array(write, { minLength: 1, maxLength: 3 }),
      task: fc.constantFrom("a", "b"),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("newest" as const), ...place }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("get" as const), ...place, which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("delete" as const), ...place }) },
);
const run = fc.record({
  durability: fc.constantFrom<Durability>("async", "exit", "sync"),
  process: fc.nat(1),
  steps: fc.array(step, { minLength: 1, maxLength: 16 }),
});

/** Returns the calls of a run. */
function callsOf(
  steps: readonly (typeof step extends fc.Arbitrary<infer S> ? S : never)[],
  at: ReturnType<typeof placesOf>,
): Call[] {
  return steps.flatMap((one): Call[] => {
    const { branch: made, thread, ns } = at.of(one);
    const call = ((): Call | undefined => {
      switch (one.do) {
        case "next":
          return made.next(one.which, one.grows, one.replaces);
        case "again":
          return made.again(one.which);
        case "writes":
          return made.writes(one.which, one.writes, one.task);
        case "newest":
          return ["getTuple", configOf(thread, ns)];
        case "get":
          return ["getTuple", configOf(thread, ns, made.id(one.which))];
        case "delete":
          at.forget(one.thread);
          return ["deleteThread", thread];
      }
    })();
    return call ? [call] : [];
  });
}

function placesOf(name: string) {
  const branches = new Map<string, { thread: string; ns: string; branch: ReturnType<typeof branch> }>();
  return {
    of({ thread, ns }: { thread: string; ns: string }) {
      const key = `${thread} ${ns}`;
      const known = branches.get(key) ?? { thread: `${thread} ${name}`, ns, branch: branch(`${thread} ${name}`, ns) };
      branches.set(key, known);
      return known;
    },
    forget(thread: string) {
      for (const [key, one] of branches) if (key.startsWith(`${thread} `)) one.branch.forget();
    },
    all: () => [...branches.values()],
  };
}

const SCOPE = { thread: "own", ns: "below", which: 0 } as const;
/** The second run reads a checkpoint by its id, puts it again, and knows nothing of its writes. */
const READ_AND_PUT_AGAIN: (typeof run extends fc.Arbitrary<infer R> ? R : never)[] = [
  {
    durability: "async",
    process: 0,
    steps: [
      { do: "next", ...SCOPE, grows: 0, replaces: false },
      { do: "writes", ...SCOPE, writes: [["list", 0]], task: "a" },
    ],
  },
  {
    durability: "async",
    process: 0,
    steps: [
      { do: "get", ...SCOPE },
      { do: "again", ...SCOPE },
      { do: "get", ...SCOPE },
    ],
  },
];

test("the checkpointer of a run answers as LangGraph's own saver does", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(run, { minLength: 1, maxLength: 3 }), async (runs) => {
      const memory = new MemorySaver();
      const name = newId();
      const at = placesOf(name);
      const play = async (calls: Call[], durability: Durability, process: number): Promise<void> => {
        const config = { configurable: { thread_id: `own ${name}` } };
        const results = await callInRun(worker, calls, { config, durability }, process);
        for (const [index, [method, ...args]] of calls.entries()) {
          const expected: unknown = await (memory[method] as (...given: unknown[]) => unknown)(...args);
          if (method !== "getTuple") continue;
          const seen = seenIn(results[index]);
          expect(seen).toEqual(seenIn(expected));
          const { parentConfig } = (results[index] ?? {}) as Partial<CheckpointTuple>;
          expect(parentConfig?.configurable?.checkpoint_id).toBe(seen && parents.get(seen.id));
        }
      };
      for (const { steps, durability, process } of runs) await play(callsOf(steps, at), durability, process);
      const last = at.all().map(({ thread, ns }): Call => ["getTuple", configOf(thread, ns)]);
      for (const process of [0, 1]) await play(last, "async", process);
    }),
    { numRuns: 150, examples: [[READ_AND_PUT_AGAIN]] },
  );
});
