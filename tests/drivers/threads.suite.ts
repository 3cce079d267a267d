import { v7 as uuid } from "uuid";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { RunStore } from "../../lib/engine/ports/ports.ts";
import type { RunEventStore } from "../../lib/engine/ports/runs.ts";
import type { NewThread, ThreadStore } from "../../lib/engine/ports/threads.ts";
import type { JsonObject } from "../../lib/protocol/json.ts";
import { ThreadSearch } from "../../lib/protocol/threads.ts";
import { begin, newRun, pending, running } from "./runs.suite.ts";

export interface ThreadStoreUnderTest {
  runs: RunStore & RunEventStore;
  threads: ThreadStore;
  close(): Promise<void>;
}

export function newThread(changes: Partial<NewThread> = {}): NewThread {
  return { thread_id: uuid(), metadata: {}, config: {}, created_at: new Date().toISOString(), ...changes };
}

/** Tests that every store of threads must pass, on any database. */
export function threadStoreSuite(name: string, open: () => Promise<ThreadStoreUnderTest>): void {
  describe(`threads in ${name}`, () => {
    let store: ThreadStoreUnderTest;
    beforeEach(async () => {
      store = await open();
    });
    afterEach(async () => {
      await store.close();
    });

    const enqueue = (threadId: string, alone = false) => {
      const run = newRun({ thread_id: threadId, threaded: true });
      return { run, stored: store.runs.enqueue(run, { alone, metadata: { graph_id: "agent" } }) };
    };
    const claim = () => store.runs.claim(100, Date.now() + 1_000, begin);
    const end = { values: '{"messages":[]}', next: [], interrupts: {} };
    const waiting = { values: "{}", next: ["ask"], interrupts: { t1: [{ id: "i", value: "ok?" }] } };

    test("a thread is read as it was stored, and is stored once", async () => {
      const thread = newThread({ metadata: { a: 1 }, ttl: { ttl: 2, strategy: "delete" } });
      expect(await store.threads.insert(thread)).toBe(true);
      expect(await store.threads.insert({ ...thread, metadata: { other: true } })).toBe(false);
      expect(await store.threads.get(thread.thread_id)).toMatchObject({
        thread_id: thread.thread_id,
        metadata: { a: 1 },
        status: "idle",
        values: null,
        interrupts: {},
        waiting: false,
        ttl: { strategy: "delete", ttl_minutes: 2 },
      });
      expect(await store.threads.get(uuid())).toBeUndefined();
    });

    test("search finds by metadata, values, status and ids, in the requested order, page by page", async () => {
      const times = [1, 2, 3, 4].map((n) => new Date(n * 1_000).toISOString());
      const threads = times.map((created_at, n) =>
        newThread({ created_at, metadata: { team: n < 2 ? "blue" : "red", nested: { n, list: [n] } } }),
      );
      for (const thread of threads) await store.threads.insert(thread);
      await store.threads.update(
        threads[1]?.thread_id ?? "",
        { state: { values: '{"topic":"tea"}', waiting: false, interrupts: {} } },
        9_000,
      );
      const found = async (search: object) => {
        const page = await store.threads.search(ThreadSearch.parse(search));
        return {
          order: page.threads.map((one) => threads.findIndex((t) => t.thread_id === one.thread_id)),
          total: page.total,
        };
      };
      expect(await found({})).toEqual({ order: [3, 2, 1, 0], total: 4 });
      expect(await found({ sort_order: "asc", limit: 2, offset: 1 })).toEqual({ order: [1, 2], total: 4 });
      expect(await found({ metadata: { team: "blue" } })).toEqual({ order: [1, 0], total: 2 });
      expect(await found({ metadata: { nested: { n: 2 } } })).toEqual({ order: [2], total: 1 });
      expect(await found({ metadata: { nested: { list: [3] } } })).toEqual({ order: [3], total: 1 });
      expect(await found({ metadata: { missing: null } })).toEqual({ order: [], total: 0 });
      expect(await found({ values: { topic: "tea" } })).toEqual({ order: [1], total: 1 });
      expect(await found({ status: "busy" })).toEqual({ order: [], total: 0 });
      expect(await found({ ids: [threads[0]?.thread_id] })).toEqual({ order: [0], total: 1 });
      expect(await store.threads.count({ metadata: { team: "red" } })).toBe(2);
    });

    test("metadata is merged member by member, also by concurrent writers", async () => {
      const thread = newThread({ metadata: { kept: 1, changed: 1 } });
      await store.threads.insert(thread);
      await Promise.all(
        Array.from({ length: 10 }, (_, n) =>
          store.threads.update(thread.thread_id, { metadata: { [`k${n}`]: n, changed: 2 } }, Date.now()),
        ),
      );
      const { metadata } = (await store.threads.get(thread.thread_id)) ?? {};
      expect(Object.keys(metadata ?? {})).toHaveLength(12);
      expect(metadata).toMatchObject({ kept: 1, changed: 2, k0: 0, k9: 9 });
      expect(await store.threads.update(uuid(), { metadata: {} }, 1)).toBeUndefined();
    });

    test("a run merges its configurable into its thread, member by member, also beside other runs", async () => {
      const { thread_id } = newThread();
      await store.threads.insert(newThread({ thread_id, config: { tags: ["t"], configurable: { kept: 1, n: 0 } } }));
      const put = (configurable?: JsonObject) =>
        store.runs.enqueue(newRun({ thread_id, threaded: true }), { alone: false, metadata: {}, configurable });
      await Promise.all([put({ n: { deep: 2 } }), put({ a: "é" }), put({ b: null }), put({}), put()]);
      expect((await store.threads.get(thread_id))?.config).toEqual({
        tags: ["t"],
        configurable: { kept: 1, n: { deep: 2 }, a: "é", b: null },
      });
    });

    test("a run makes its thread busy and updates its time; its end stores state and status in one transaction", async () => {
      const { thread_id } = newThread();
      await store.threads.insert(newThread({ thread_id }));
      expect(await enqueue(thread_id).stored).toBe("stored");
      expect(await store.threads.get(thread_id)).toMatchObject({ status: "busy", metadata: { graph_id: "agent" } });
      const [run] = await claim();
      await store.runs.finish(running(run?.run_id ?? ""), { status: "success", thread: waiting }, [], 5_000);
      expect(await store.threads.get(thread_id)).toMatchObject({
        status: "interrupted",
        waiting: true,
        interrupts: waiting.interrupts,
        state_updated_at: new Date(5_000).toISOString(),
      });
      await enqueue(thread_id).stored;
      const [next] = await claim();
      const error = { error: "RangeError", message: "kaput" };
      await store.runs.finish(running(next?.run_id ?? ""), { status: "error", error, thread: end }, [], 6_000);
      expect(await store.threads.get(thread_id)).toMatchObject({ status: "error", waiting: false, error });
    });

    test("a run on a missing thread is not stored, or creates the thread if that is allowed", async () => {
      const { run, stored } = enqueue(uuid());
      expect(await stored).toBe("missing");
      expect(await store.runs.get(run.run_id)).toBeUndefined();
      const create = newThread();
      const created = newRun({ thread_id: create.thread_id, threaded: true });
      expect(await store.runs.enqueue(created, { alone: true, metadata: {}, create })).toBe("stored");
      expect(await store.threads.get(create.thread_id)).toMatchObject({ status: "busy" });
    });

    test("of many runs that require an idle thread one gets it", async () => {
      const thread = newThread();
      await store.threads.insert(thread);
      const outcomes = await Promise.all(Array.from({ length: 20 }, () => enqueue(thread.thread_id, true).stored));
      expect(outcomes.filter((outcome) => outcome === "stored")).toHaveLength(1);
      expect(outcomes.filter((outcome) => outcome === "busy")).toHaveLength(19);
      expect(await store.runs.inFlight(thread.thread_id)).toHaveLength(1);
    });

    test("an answer is stored, unless an unseen run has given it, or has ended since", async () => {
      const { thread_id } = newThread();
      await store.threads.insert(newThread({ thread_id }));
      const [id, other] = ["a".repeat(32), "b".repeat(32)];
      const answer = async (resume: unknown, seen: string[] = [], since = 0) => {
        const plain = newRun({ thread_id, threaded: true });
        const run = { ...plain, kwargs: { ...plain.kwargs, input: null, command: { resume } } };
        const answers = { ids: [id], seen, since };
        return { id: run.run_id, outcome: await store.runs.enqueue(run, { alone: false, metadata: {}, answers }) };
      };
      const first = await answer({ [other]: 1 });
      const mine = await answer({ [id]: 1 });
      expect([first.outcome, mine.outcome]).toEqual(["stored", "stored"]);
      expect((await answer({ [id]: 2 })).outcome).toBe("answered");
      expect((await answer({ [id]: 2 }, [first.id])).outcome).toBe("answered");
      const seen = await answer({ [id]: 3 }, [first.id, mine.id]);
      expect(seen.outcome).toBe("stored");
      for (let n = 0; n < 3; n++) {
        const [run] = await claim();
        await store.runs.finish(running(run?.run_id ?? ""), { status: "success" }, [], 5_000);
      }
      expect((await answer({ [id]: 4 }, [], 5_000)).outcome).toBe("answered");
      expect((await answer({ [id]: 4 }, [], 5_001)).outcome).toBe("stored");
    });

    test.each([
      { ended: "success" as const, asks: false, waits: true, why: "at a breakpoint" },
      { ended: "success" as const, asks: true, waits: true, why: "for an answer" },
      { ended: "interrupted" as const, asks: true, waits: true, why: "for an answer, although a run was cancelled" },
      { ended: "interrupted" as const, asks: false, waits: false, why: "no more after a cancelled run" },
      { ended: "error" as const, asks: true, waits: false, why: "no more after a failed run" },
    ])("a thread waits for a person $why", async ({ ended, asks, waits }) => {
      const create = newThread();
      const run = newRun({ thread_id: create.thread_id, threaded: true });
      await store.runs.enqueue(run, { alone: false, metadata: {}, create });
      expect(await store.threads.get(create.thread_id)).toMatchObject({ waiting: false, resumable: false });
      const thread = { ...waiting, interrupts: asks ? waiting.interrupts : {} };
      await store.runs.finish(pending(run.run_id), { status: ended, thread }, [], 1);
      expect(await store.threads.get(create.thread_id)).toMatchObject({ waiting: waits, resumable: true });
      expect(await store.threads.count({ waiting: true, ids: [create.thread_id] })).toBe(waits ? 1 : 0);
    });

    test("a run that is cancelled before it begins leaves a thread with other runs busy", async () => {
      const thread = newThread();
      await store.threads.insert(thread);
      await enqueue(thread.thread_id).stored;
      const [first] = await claim();
      await store.runs.finish(running(first?.run_id ?? ""), { status: "success", thread: waiting }, [], 1);
      await enqueue(thread.thread_id).stored;
      await claim();
      const { run, stored } = enqueue(thread.thread_id);
      await stored;
      await store.runs.finish(pending(run.run_id), { status: "interrupted" }, [], 2);
      expect(await store.threads.get(thread.thread_id)).toMatchObject({
        status: "busy",
        resumable: true,
        waiting: false,
      });
    });

    test("the end of a run that is marked for deletion changes nothing", async () => {
      const thread = newThread();
      await store.threads.insert(thread);
      await enqueue(thread.thread_id).stored;
      const [run] = await claim();
      await store.runs.markCancelled(run?.run_id ?? "", "rollback");
      expect(await store.runs.requeue(running(run?.run_id ?? ""), "crashed")).toBe(false);
      const error = { error: "RangeError", message: "kaput" };
      await store.runs.finish(running(run?.run_id ?? ""), { status: "error", error, thread: waiting }, [], 2);
      expect(await store.threads.get(thread.thread_id)).toMatchObject({ status: "idle", waiting: false, values: null });
    });

    test("a thread is deleted with its runs and their events", async () => {
      const thread = newThread();
      await store.threads.insert(thread);
      const { run, stored } = enqueue(thread.thread_id);
      await stored;
      await claim();
      expect(await store.runs.read(run.run_id, -1, 10)).toHaveLength(1);
      expect(await store.threads.delete(thread.thread_id)).toEqual([run.run_id]);
      expect(await store.threads.delete(thread.thread_id)).toBeUndefined();
      expect(await store.runs.get(run.run_id)).toBeUndefined();
      expect(await store.runs.read(run.run_id, -1, 10)).toEqual([]);
    });

    test("a thread that expires is deleted, unless a run has begun on it or its time to live was extended", async () => {
      const expired = (): NewThread =>
        newThread({ created_at: new Date(0).toISOString(), ttl: { ttl: 1, strategy: "delete" } });
      const [over, used, extended] = [expired(), expired(), expired()];
      for (const thread of [over, used, extended]) await store.threads.insert(thread);
      await enqueue(used.thread_id).stored;
      await store.threads.update(extended.thread_id, { ttl: { ttl: 2, strategy: "delete" } }, 30_000);
      const left: boolean[] = [];
      for (const { thread_id } of [over, used, extended]) {
        await store.threads.delete(thread_id, 60_000);
        left.push((await store.threads.get(thread_id)) !== undefined);
      }
      expect(left).toEqual([false, true, true]);
      expect(await store.threads.delete(over.thread_id, 60_000)).toBeUndefined();
      expect(await store.threads.delete(extended.thread_id, 150_000)).toEqual([]);
    });

    test("expired threads are returned, busy ones later", async () => {
      const over = newThread({ created_at: new Date(0).toISOString(), ttl: { ttl: 1, strategy: "keep_latest" } });
      const busy = newThread({ created_at: new Date(0).toISOString(), ttl: { ttl: 1, strategy: "delete" } });
      for (const thread of [over, busy, newThread()]) await store.threads.insert(thread);
      await enqueue(busy.thread_id).stored;
      expect(await store.threads.expired(59_999)).toEqual([]);
      expect(await store.threads.expired(60_000)).toEqual([{ thread_id: over.thread_id, strategy: "keep_latest" }]);
    });

    test("a cancelled run is not resumed when its process ends, and keeps its results", async () => {
      const thread = newThread();
      await store.threads.insert(thread);
      const { run, stored } = enqueue(thread.thread_id);
      await stored;
      const [claimed] = await store.runs.claim(1, Date.now(), begin);
      expect(claimed).toMatchObject({ run_id: run.run_id, cancelled: false });
      expect(await store.runs.markCancelled(run.run_id, "interrupt")).toBe(true);
      expect(await store.runs.get(run.run_id)).toMatchObject({ cancelled: true, rollback: false });
      expect(await store.runs.requeue(running(run.run_id), "crashed")).toBe(false);
      expect(await store.runs.markCancelled(run.run_id, "rollback")).toBe(true);
      expect(await store.runs.markCancelled(run.run_id, "interrupt")).toBe(true);
      expect(await store.runs.get(run.run_id)).toMatchObject({ cancelled: true, rollback: true });
    });

    test("a run that is marked for deletion is deleted at its end; another can be deleted only after its end", async () => {
      const thread = newThread();
      await store.threads.insert(thread);
      const { run, stored } = enqueue(thread.thread_id);
      await stored;
      expect(await store.runs.delete(run.run_id)).toBe(false);
      expect(await store.runs.markCancelled(run.run_id, "rollback")).toBe(true);
      expect((await store.runs.get(run.run_id))?.rollback).toBe(true);
      await store.runs.finish(pending(run.run_id), { status: "interrupted" }, [], 1);
      expect(await store.runs.get(run.run_id)).toBeUndefined();
      expect(await store.runs.markCancelled(run.run_id, "rollback")).toBe(false);
      const other = enqueue(thread.thread_id);
      await other.stored;
      await store.runs.finish(pending(other.run.run_id), { status: "interrupted" }, [], 1);
      expect(await store.runs.delete(other.run.run_id)).toBe(true);
      expect(await store.runs.delete(other.run.run_id)).toBe(false);
    });
  });
}
