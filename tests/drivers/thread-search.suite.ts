import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { deploymentShape } from "../../lib/drivers/sql/migrations.ts";
import { toThreadRow } from "../../lib/drivers/sql/thread-rows.ts";
import { sqlThreads } from "../../lib/drivers/sql/threads.ts";
import type { DatabaseUnderTest } from "./database.suite.ts";
import type { StoredThread } from "../../lib/engine/ports/threads.ts";
import type { JsonObject } from "../../lib/protocol/json.ts";
import { type ThreadFilter, ThreadSearch } from "../../lib/protocol/threads.ts";
import { isVisible, type Visibility } from "../../lib/rules/visibility.ts";
import { hasMembers } from "../support/has-members.ts";
import { newRun, pending } from "./runs.suite.ts";
import { newThread, type ThreadStoreUnderTest } from "./threads.suite.ts";

const END = { values: '{"messages":[]}', waiting: false, interrupts: {} };
const BUSY = { values: '{"topic":{"of":"tea"}}', waiting: true, interrupts: {} };

/** Tests that a search finds the same threads whichever index it uses. */
export function threadSearchSuite(name: string, open: () => Promise<ThreadStoreUnderTest>): void {
  describe(`search of threads in ${name}`, () => {
    let store: ThreadStoreUnderTest;
    let ids: string[] = [];
    beforeEach(async () => {
      store = await open();
      ids = [];
    });
    afterEach(async () => {
      await store.close();
    });

    const key = fc.constantFrom("owner", 'a "quoted".key', "tags", "é");
    const scalar = fc.constantFrom<unknown>("ada", "b\"o'b", "x".repeat(500), 1, -1.5, true, null, "\ud800");
    const value = fc.oneof(
      { weight: 4, arbitrary: scalar },
      { weight: 1, arbitrary: fc.array(scalar, { maxLength: 2 }) },
      {
        weight: 1,
        arbitrary: fc.dictionary(fc.constantFrom("id", "b"), scalar, { maxKeys: 2, noNullPrototype: true }),
      },
    );
    const objectOf = (maxLength: number) =>
      fc
        .uniqueArray(fc.tuple(key, value), { selector: ([one]) => one, maxLength })
        .map((members): JsonObject => Object.fromEntries(members));
    const visibility: fc.Arbitrary<Visibility> = fc.array(
      fc.oneof(fc.record({ key, equals: value }), fc.record({ key, contains: fc.array(scalar, { maxLength: 2 }) })),
      { maxLength: 2 },
    );
    const question = fc.record({
      filter: fc.record(
        {
          metadata: fc.oneof(objectOf(2), fc.constant({ graph_id: "agent" }), fc.constant({ graph_id: "agent", n: 1 })),
          status: fc.constantFrom("idle" as const, "busy" as const, "interrupted" as const),
          values: fc.constantFrom({ topic: { of: "tea" } }, { messages: [] }),
          ids: fc.array(fc.nat(20), { maxLength: 5 }),
          waiting: fc.boolean(),
        },
        { requiredKeys: [] },
      ),
      visible: fc.option(visibility, { nil: undefined }),
      sort_by: fc.constantFrom(...(["created_at", "updated_at", "state_updated_at", "thread_id", "status"] as const)),
      sort_order: fc.constantFrom("asc" as const, "desc" as const),
      limit: fc.integer({ min: 1, max: 5 }),
      offset: fc.nat(3),
    });

    type Question = typeof question extends fc.Arbitrary<infer Q> ? Q : never;
    const stored = async (): Promise<StoredThread[]> =>
      (await Promise.all(ids.map((id) => store.threads.get(id)))).filter((one) => one !== undefined);

    const expectSame = async (all: StoredThread[], { filter, visible, ...order }: Question) => {
      const { ids: some, ...rest } = filter;
      const criteria = { ...rest, ids: some?.flatMap((n) => ids[n % ids.length] ?? []) };
      const expected = all
        .filter((thread) => isFound(thread, criteria, visible))
        .toSorted((a, b) => compare(a[order.sort_by], b[order.sort_by]) || compare(a.thread_id, b.thread_id));
      if (order.sort_order === "desc") expected.reverse();
      const { threads, total } = await store.threads.search(ThreadSearch.parse({ ...criteria, ...order }), visible);
      expect(threads.map((thread) => thread.thread_id)).toEqual(
        expected.slice(order.offset, order.offset + order.limit).map((thread) => thread.thread_id),
      );
      expect(total).toBe(expected.length);
      expect(await store.threads.count(criteria, visible)).toBe(expected.length);
    };
    const insert = async (metadata: JsonObject, n: number): Promise<void> => {
      const thread = newThread({ metadata, created_at: new Date(1_000 * (n % 7)).toISOString() });
      ids.push(thread.thread_id);
      await store.threads.insert(thread);
    };

    /** Changes of a thread, also of one that is created for a run and deleted with it. */
    const changes = {
      patch: (thread_id: string, metadata: JsonObject, n: number) =>
        store.threads.update(thread_id, { metadata }, 1_000 * n),
      state: (thread_id: string, _: JsonObject, n: number) =>
        store.threads.update(thread_id, { state: n % 2 ? END : BUSY }, 1_000 * n),
      enqueue: (thread_id: string, metadata: JsonObject) =>
        store.runs.enqueue(newRun({ thread_id, threaded: true }), { alone: false, metadata }),
      delete: (thread_id: string) => store.threads.delete(thread_id),
      pass: async (_: string, metadata: JsonObject) => {
        const create = newThread({ metadata });
        const run = newRun({ thread_id: create.thread_id, threaded: true });
        await store.runs.enqueue(run, { alone: false, metadata: { graph_id: "agent" }, create });
        await store.runs.finish(pending(run.run_id), { status: "success", discard: true }, [], 1);
      },
    };
    const kinds = ["insert", "insert", "patch", "state", "enqueue", "delete", "pass"] as const;

    test("returns exactly the threads that a full scan finds, whatever happened to them", async () => {
      const step = fc.record({ do: fc.constantFrom(...kinds), n: fc.nat(20), metadata: objectOf(3) });
      const steps = fc.array(step, { maxLength: 12 });
      await fc.assert(
        fc.asyncProperty(steps, fc.array(question, { minLength: 3, maxLength: 5 }), async (taken, questions) => {
          for (const id of ids.splice(0)) await store.threads.delete(id);
          for (const { do: what, n, metadata } of taken) {
            const thread_id = ids[n % Math.max(1, ids.length)];
            if (what === "insert" || thread_id === undefined) await insert(metadata, n);
            else await changes[what](thread_id, metadata, n);
          }
          const all = await stored();
          for (const one of questions) await expectSame(all, one);
        }),
        { numRuns: 50 },
      );
    });

    test("does so among so many threads that lists are long", async () => {
      const metadata = fc.sample(objectOf(2), { numRuns: 1_200, seed: 1 });
      await Promise.all(
        metadata.map((one, n) => insert({ ...one, n: n % 5 > 3 ? 2 : 1, graph_id: n % 9 > 0 ? "agent" : "b" }, n)),
      );
      for (const id of ids.filter((_, n) => n % 6 === 0)) await store.threads.update(id, { state: BUSY }, 9_000);
      const all = await stored();
      await fc.assert(
        fc.asyncProperty(question, (one) => expectSame(all, one)),
        { numRuns: 60 },
      );
    }, 60_000);

    test("does so also if a thread has more members than are labelled", async () => {
      const many = Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`k${n}`, n]));
      for (const metadata of [{ owner: "ada" }, { ...many, owner: "ada" }, { ...many, owner: "bob" }, { k7: 7 }])
        await insert(metadata, 0);
      const found = async (filter: object, visible?: Visibility): Promise<number[]> => {
        const search = ThreadSearch.parse({ ...filter, sort_by: "thread_id", sort_order: "asc" });
        const { threads, total } = await store.threads.search(search, visible);
        expect(total).toBe(threads.length);
        return threads.map((thread) => ids.indexOf(thread.thread_id)).toSorted();
      };
      expect(await found({ metadata: { owner: "ada" } })).toEqual([0, 1]);
      expect(await found({ metadata: { k7: 7 } })).toEqual([1, 2, 3]);
      expect(await found({}, [{ key: "owner", equals: "bob" }])).toEqual([2]);
      expect(await found({ metadata: many })).toEqual([1, 2]);
    });
  });
}

/** Tests that threads stored before labels existed are found by labels once the database is opened again. */
export async function expectOldThreadsFound(
  open: (shape: typeof deploymentShape) => Promise<Omit<DatabaseUnderTest, "close">>,
): Promise<void> {
  const before = Object.entries(deploymentShape.steps).filter(([name]) => name < "011-thread-labels");
  const old = await open({ steps: Object.fromEntries(before) });
  const metadata = Array.from({ length: 1_100 }, (_, n) => ({ owner: `user-${n % 100}`, team: "blue" }));
  const rows = metadata.map((one) => toThreadRow(newThread({ metadata: one })));
  await old.db.insertInto("threads").values(rows).execute();
  await old.db.destroy();
  const { db, commit } = await open(deploymentShape);
  const search = { metadata: { owner: "user-7", team: "blue" } };
  expect(await sqlThreads(db, commit).count(search)).toBe(11);
  expect(await sqlThreads(db, commit).count({ metadata: { team: "blue" } })).toBe(1_100);
  await db.destroy();
}

export function isFound(
  thread: StoredThread,
  { metadata, status, values, ids, waiting }: ThreadFilter,
  visible?: Visibility,
): boolean {
  return (
    (waiting === undefined || thread.waiting === waiting) &&
    (status === undefined || thread.status === status) &&
    (ids === undefined || ids.includes(thread.thread_id)) &&
    (metadata === undefined || hasMembers(thread.metadata, metadata)) &&
    (values === undefined || hasMembers(thread.values, values)) &&
    isVisible(visible, thread.metadata)
  );
}

export function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
