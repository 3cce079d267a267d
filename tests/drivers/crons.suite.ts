import { v7 as uuid } from "uuid";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { CronStore, StoredCron } from "../../lib/engine/ports/crons.ts";
import type { RunStore } from "../../lib/engine/ports/ports.ts";
import type { RunEventStore } from "../../lib/engine/ports/runs.ts";
import type { ThreadStore } from "../../lib/engine/ports/threads.ts";
import { CronSearch } from "../../lib/protocol/crons.ts";
import { begin, newRun, running } from "./runs.suite.ts";

export interface CronStoreUnderTest {
  runs: RunStore & RunEventStore;
  threads: ThreadStore;
  crons: CronStore;
  close(): Promise<void>;
}

const at = (ms: number): string => new Date(ms).toISOString();

function newCron(changes: Partial<StoredCron> = {}): StoredCron {
  return {
    cron_id: uuid(),
    assistant_id: uuid(),
    thread_id: null,
    schedule: "* * * * *",
    timezone: null,
    end_time: null,
    enabled: true,
    on_run_completed: "delete",
    payload: { input: { messages: [] } },
    metadata: {},
    user_id: null,
    next_run_date: at(60_000),
    created_at: at(1),
    updated_at: at(1),
    ...changes,
  };
}

/** Tests that every store of crons must pass, on any database. */
export function cronStoreSuite(name: string, open: () => Promise<CronStoreUnderTest>): void {
  describe(`crons in ${name}`, () => {
    let store: CronStoreUnderTest;
    beforeEach(async () => {
      store = await open();
    });
    afterEach(async () => {
      await store.close();
    });

    const threadRun = (thread_id: string) => newRun({ thread_id, threaded: true });
    const place = (thread_id: string) => ({
      alone: false,
      metadata: { graph_id: "agent" },
      create: { thread_id, metadata: {}, config: {}, created_at: at(1) },
    });

    test("a cron is read as it was stored, until it is deleted", async () => {
      const { on_run_completed: _, ...onThread } = newCron({ thread_id: uuid(), end_time: at(9), timezone: "UTC" });
      const user = { identity: "ada", permissions: ["talk"], display_name: "Ada", is_authenticated: true, team: [1] };
      const cron = newCron({ enabled: false, next_run_date: null, metadata: { a: { b: [1] } }, user, user_id: "ada" });
      for (const one of [onThread, cron]) await store.crons.insert(one);
      expect(await store.crons.get(cron.cron_id)).toEqual(cron);
      expect(await store.crons.get(onThread.cron_id)).toEqual(onThread);
      expect(await store.crons.delete(cron.cron_id)).toBe(true);
      expect(await store.crons.delete(cron.cron_id)).toBe(false);
      expect(await store.crons.get(cron.cron_id)).toBeUndefined();
    });

    test("search finds by assistant, thread, state and metadata, in the requested order, page by page", async () => {
      const [assistant, thread] = [uuid(), uuid()];
      const crons = [
        newCron({
          created_at: at(1),
          assistant_id: assistant,
          metadata: { team: "blue", n: 1 },
          next_run_date: at(30),
        }),
        newCron({ created_at: at(2), thread_id: thread, metadata: { team: "blue" }, next_run_date: null }),
        newCron({ created_at: at(3), enabled: false, metadata: { team: null }, next_run_date: at(10) }),
        newCron({ created_at: at(4), next_run_date: at(20), end_time: at(40) }),
      ];
      for (const cron of crons) await store.crons.insert(cron);
      const found = async (search: object) => {
        const { crons: page, total } = await store.crons.search(CronSearch.parse(search));
        return [page.map((one) => crons.findIndex(({ cron_id }) => cron_id === one.cron_id)), total];
      };
      expect(await found({})).toEqual([[3, 2, 1, 0], 4]);
      expect(await found({ sort_order: "asc", limit: 2, offset: 1 })).toEqual([[1, 2], 4]);
      expect(await found({ assistant_id: assistant })).toEqual([[0], 1]);
      expect(await found({ thread_id: thread })).toEqual([[1], 1]);
      expect(await found({ enabled: false })).toEqual([[2], 1]);
      expect(await found({ metadata: { team: "blue" } })).toEqual([[1, 0], 2]);
      expect(await found({ metadata: { team: "blue", n: 1 } })).toEqual([[0], 1]);
      expect(await found({ metadata: { team: null } })).toEqual([[2], 1]);
      expect(await found({ sort_by: "next_run_date" })).toEqual([[0, 3, 2, 1], 4]);
      expect(await found({ sort_by: "next_run_date", sort_order: "asc" })).toEqual([[2, 3, 0, 1], 4]);
      for (const sort_by of ["cron_id", "assistant_id", "thread_id", "end_time", "updated_at"]) {
        expect((await found({ sort_by }))[1]).toBe(4);
      }
      expect(await store.crons.count({ metadata: { team: "blue" } })).toBe(2);
    });

    test("crons that are not visible are not found, counted or deleted", async () => {
      const crons = [
        newCron({ metadata: { owner: "ada", teams: ["a", "b"] } }),
        newCron({ metadata: { owner: "bob" } }),
      ];
      for (const cron of crons) await store.crons.insert(cron);
      const [mine, foreign] = crons.map(({ cron_id }) => cron_id);
      const visible = [
        { key: "owner", equals: "ada" },
        { key: "teams", contains: ["b"] },
      ];
      const found = await store.crons.search(CronSearch.parse({ limit: 1 }), visible);
      expect([found.crons.map(({ cron_id }) => cron_id), found.total]).toEqual([[mine], 1]);
      expect(await store.crons.count({}, visible)).toBe(1);
      expect(await store.crons.count({}, [])).toBe(2);
      expect(await store.crons.delete(foreign ?? "", visible)).toBe(false);
      expect(await store.crons.get(foreign ?? "")).toBeDefined();
      expect(await store.crons.delete(mine ?? "", visible)).toBe(true);
    });

    test("changes made at the same time are all kept, and one that throws changes nothing", async () => {
      const cron = newCron();
      await store.crons.insert(cron);
      await Promise.all(
        Array.from({ length: 10 }, (_, n) =>
          store.crons.update(cron.cron_id, (one) => ({ ...one, metadata: { ...one.metadata, [n]: n } })),
        ),
      );
      const kept = await store.crons.get(cron.cron_id);
      expect(Object.keys(kept?.metadata ?? {})).toHaveLength(10);
      const refusal = store.crons.update(cron.cron_id, () => {
        throw new Error("no");
      });
      await expect(refusal).rejects.toThrow("no");
      expect(await store.crons.get(cron.cron_id)).toEqual(kept);
      expect(await store.crons.update(uuid(), (one) => one)).toBeUndefined();
    });

    test("due crons are listed earliest first, with the time of the next one", async () => {
      expect(await store.crons.nextDue(0)).toBeUndefined();
      const crons = [30, 10, 20].map((ms) => newCron({ next_run_date: at(ms) }));
      for (const cron of [...crons, newCron({ next_run_date: null })]) await store.crons.insert(cron);
      expect((await store.crons.due(25)).map((cron) => cron.cron_id)).toEqual([crons[1]?.cron_id, crons[2]?.cron_id]);
      expect(await store.crons.due(9)).toEqual([]);
      expect(await store.crons.nextDue(9)).toBe(10);
      expect(await store.crons.nextDue(10)).toBe(20);
      expect(await store.crons.nextDue(30)).toBeUndefined();
    });

    test("of many concurrent firings of a cron one stores its run and the next time", async () => {
      const cron = newCron();
      await store.crons.insert(cron);
      const firing = { cron_id: cron.cron_id, due: 60_000, next: 120_000 };
      const runs = Array.from({ length: 20 }, () => threadRun(uuid()));
      const outcomes = await Promise.all(
        runs.map((run) => store.runs.enqueue(run, { ...place(run.thread_id), firing })),
      );
      expect(outcomes.filter((outcome) => outcome === "stored")).toHaveLength(1);
      expect(outcomes.filter((outcome) => outcome === "fired")).toHaveLength(19);
      expect(await store.runs.list(["pending"])).toHaveLength(1);
      expect(await store.crons.get(cron.cron_id)).toMatchObject({ next_run_date: at(120_000) });
      expect(await store.crons.skip(firing)).toBe(false);
      expect(await store.crons.skip({ ...firing, due: 120_000, next: undefined })).toBe(true);
      expect(await store.crons.get(cron.cron_id)).toMatchObject({ next_run_date: null });
    });

    test("a cron stays due if its run cannot be stored, and advances if its thread is busy", async () => {
      const cron = newCron();
      await store.crons.insert(cron);
      const run = threadRun(uuid());
      await store.runs.enqueue(run, place(run.thread_id));
      const firing = { cron_id: cron.cron_id, due: 60_000, next: 120_000 };
      await expect(store.runs.enqueue(run, { ...place(run.thread_id), firing })).rejects.toThrow(/unique/i);
      expect(await store.crons.due(60_000)).toHaveLength(1);
      const other = threadRun(run.thread_id);
      expect(await store.runs.enqueue(other, { alone: true, metadata: {}, firing })).toBe("busy");
      expect(await store.runs.get(other.run_id)).toBeUndefined();
      expect(await store.crons.due(60_000)).toHaveLength(0);
    });

    test("a run that discards its thread deletes it, unless another run waits there", async () => {
      const [alone, shared] = [newRun({ threaded: true }), newRun({ threaded: true })];
      for (const run of [alone, shared]) await store.runs.enqueue(run, place(run.thread_id));
      const waits = newRun({ thread_id: shared.thread_id, threaded: true });
      await store.runs.enqueue(waits, { alone: false, metadata: {} });
      await store.runs.claim(10, Date.now() + 1_000, begin);
      const outcome = { status: "success", discard: true } as const;
      for (const run of [alone, shared]) await store.runs.finish(running(run.run_id), outcome, [], 5_000);
      expect(await store.threads.get(alone.thread_id)).toBeUndefined();
      expect(await store.threads.get(shared.thread_id)).toMatchObject({ status: "busy" });
      expect(await store.runs.get(alone.run_id)).toMatchObject({ status: "success", threaded: false });
      expect(await store.runs.get(shared.run_id)).toMatchObject({ threaded: true });
    });

    test("a deleted thread's crons are deleted, too", async () => {
      const thread_id = uuid();
      await store.threads.insert({ thread_id, metadata: {}, config: {}, created_at: at(1) });
      const [gone, kept] = [newCron({ thread_id }), newCron()];
      for (const cron of [gone, kept]) await store.crons.insert(cron);
      await store.threads.delete(thread_id);
      expect(await store.crons.get(gone.cron_id)).toBeUndefined();
      expect(await store.crons.get(kept.cron_id)).toEqual(kept);
    });
  });
}
