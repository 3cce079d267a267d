/** Generates checkpoints to store, and the values that must be read from them. */
import fc from "fast-check";
import { afterAll, beforeAll, expect } from "vitest";
import type { RunStore, StoredRun } from "../../lib/engine/ports/ports.ts";
import type { RunEventStore } from "../../lib/engine/ports/runs.ts";
import type { CheckpointStore, ThreadStore } from "../../lib/engine/ports/threads.ts";
import {
  type ChannelVersion,
  type CheckpointWrite,
  listAt,
  type NewCheckpoint,
} from "../../lib/protocol/checkpoints.ts";
import { newRun } from "./runs.suite.ts";

export interface CheckpointStoreUnderTest {
  checkpoints: CheckpointStore;
  runs: RunStore & RunEventStore;
  threads: Pick<ThreadStore, "delete">;
  /** Gives a run another token, as another server would that claims it. */
  takeOver(runId: string): Promise<void>;
  /** Returns how many characters all stored values of channels take. */
  weigh(): Promise<number>;
  close(): Promise<void>;
}

/** Opens the store of a suite before its tests, and closes it after them. The members are there while tests run. */
export function openForSuite(open: () => Promise<CheckpointStoreUnderTest>) {
  const suite = {} as CheckpointStoreUnderTest & { find: ReturnType<typeof finder> };
  beforeAll(async () => {
    const opened = await open();
    Object.assign(suite, opened, { find: finder(opened.checkpoints) });
  });
  afterAll(() => suite.close());
  return suite;
}

export const host = { run: "host", token: 0 };
export const json = (value: unknown) => ({ type: "json", data: JSON.stringify(value) });

/** Stores a run and claims it. */
export async function claimedRun(runs: CheckpointStoreUnderTest["runs"]): Promise<StoredRun> {
  const run = newRun();
  await runs.insert(run);
  const [claimed] = await runs.claim(1, Date.now() + 1, () => ({ event: "metadata", data: "{}" }));
  expect(claimed?.run_id).toBe(run.run_id);
  return claimed ?? expect.unreachable();
}

let made = 0;
export const newThread = (): string => `thread-${++made}`;
/** Returns an id that sorts after all earlier ones. */
const newId = (): string => `id-${String(++made).padStart(6, "0")}`;

export function checkpointOf(
  thread: string,
  versions: Record<string, string | number>,
  more: Partial<NewCheckpoint> = {},
) {
  const checkpoint = JSON.stringify({ v: 4, channel_versions: versions, versions_seen: {} });
  return { thread, ns: "", id: newId(), checkpoint, metadata: JSON.stringify({ source: "loop" }), ...more };
}

export const write = (task: string, index: number, value: unknown, channel = "c"): CheckpointWrite => ({
  task,
  index,
  channel,
  ...json(value),
});

/** Returns the value of a channel at a version, from the host's answer. */
export function valueAt(versions: readonly ChannelVersion[], channel: string, version: string): unknown {
  const of = (at: string) => versions.find((one) => one.channel === channel && one.version === at)?.value;
  const value = of(version);
  if (!value || !("items" in value)) return value && JSON.parse(value.data);
  const items = listAt(version, (at) => {
    const part = of(at);
    return part && "items" in part ? part : undefined;
  });
  return items?.map((item) => JSON.parse(item) as unknown);
}

export type Edit = { from: number; keep: number; add: number; size: number };
export const edits = fc.array(
  fc.record({
    /** Index of the earlier version on which the edit is based; mostly the newest. */
    from: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.nat(20)),
    /** The number of items to replace at the end; 0 appends. */
    keep: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.nat(30)),
    add: fc.nat(4),
    size: fc.constantFrom(0, 10, 1_000, 5_000),
  }),
  { minLength: 1, maxLength: 60 },
);

/** Returns the checkpoint with this id, or the newest one. */
const finder =
  (checkpoints: CheckpointStore) =>
  async (thread: string, id?: string, ns = "") => {
    const found = await checkpoints.get({ thread, ns }, id === undefined ? {} : { id });
    if (found && "same" in found) throw new Error("nothing was known");
    return found;
  };

/** Stores a checkpoint for each edit, whose id is the version of its list. */
export async function playEdits(checkpoints: CheckpointStore, thread: string, sequence: readonly Edit[]) {
  const states: { one: NewCheckpoint; list: string[] }[] = [];
  for (const { from, keep: cut, add, size } of sequence) {
    const before = states.at(-1 - (from % Math.max(1, states.length)));
    const keep = Math.max(0, (before?.list.length ?? 0) - cut);
    const added = Array.from({ length: add }, () => `${++made} `.padEnd(size, "x\n"));
    const list = [...(before?.list.slice(0, keep) ?? []), ...added];
    const id = newId();
    const one = { ...checkpointOf(thread, { list: id }), id, ...(before && { parent: before.one.id }) };
    const items = added.map((item) => JSON.stringify(item));
    const value = before && keep > 0 ? { base: before.one.id, keep, items } : { keep: 0, items };
    expect(await checkpoints.put(host, one, [{ channel: "list", version: id, value }])).toBeNull();
    states.push({ one, list });
  }
  return states;
}
