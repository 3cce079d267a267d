import fc from "fast-check";
import { v7 as uuid } from "uuid";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Claim, EnqueueOptions, NewRun, RunStore, StoredRun } from "../../lib/engine/ports/ports.ts";
import type { RunEventStore } from "../../lib/engine/ports/runs.ts";
import type { RunStatus } from "../../lib/protocol/runs.ts";
import type { NewEvent } from "../../lib/protocol/stream.ts";
import { runSteps, runTransitions } from "../../lib/rules/runs/state.ts";

/** An empty store for one test, with a function that deletes it. */
export interface RunStoreUnderTest {
  runs: RunStore & RunEventStore;
  close(): Promise<void>;
}

export function newRun(changes: Partial<NewRun> = {}): NewRun {
  const created = new Date().toISOString();
  return {
    run_id: uuid(),
    thread_id: uuid(),
    assistant_id: uuid(),
    graph_id: "agent",
    metadata: { team: "blue" },
    kwargs: {
      input: { messages: [] },
      command: null,
      config: { configurable: { a: 1 } },
      context: null,
      stream_mode: ["values"],
      interrupt_before: null,
      interrupt_after: null,
      webhook: null,
      feedback_keys: null,
      temporary: true,
      subgraphs: false,
      resumable: true,
    },
    multitask_strategy: "enqueue",
    trigger: "api",
    created_at: created,
    updated_at: created,
    keep: false,
    threaded: false,
    ...changes,
  };
}

const newEvents = (...names: string[]): NewEvent[] => names.map((event) => ({ event, data: `{"said":"${event}"}` }));

export const begin = (run: StoredRun): NewEvent => ({ event: "metadata", data: `{"attempt":${run.token}}` });

/** Arguments of `enqueue` that store the run on its thread, which is created if it is missing. */
export function onThread(run: NewRun): [NewRun, EnqueueOptions] {
  const { thread_id, created_at } = run;
  return [run, { alone: false, metadata: {}, create: { thread_id, metadata: {}, config: {}, created_at } }];
}

/** Returns the state of a run as its executor read it when it claimed the run. */
export const running = (run_id: string, token = 1): Claim => ({ run_id, token, status: "running" });
/** Returns the state of a run that nobody has claimed yet. */
export const pending = (run_id: string): Claim => ({ run_id, token: 0, status: "pending" });

/** Tests that every run store must pass, on any database. */
export function runStoreSuite(name: string, open: () => Promise<RunStoreUnderTest>): void {
  describe(`runs in ${name}`, () => {
    let store: RunStoreUnderTest;
    beforeEach(async () => {
      store = await open();
    });
    afterEach(async () => {
      await store.close();
    });

    const claimOne = async (): Promise<StoredRun> => {
      const [run] = await store.runs.claim(1, Date.now(), begin);
      if (!run) throw new Error("nothing to claim");
      return run;
    };

    test("a run is read as it was stored", async () => {
      const run = newRun({ keep: true });
      await store.runs.insert(run);
      expect(await store.runs.get(run.run_id)).toEqual({
        ...run,
        status: "pending",
        token: 0,
        crashes: 0,
        executor: null,
        last_event: -1,
        error: undefined,
        rollback: false,
        cancelled: false,
        started_at: null,
        ended_at: null,
        first_token_at: null,
      });
      expect(await store.runs.get(uuid())).toBeUndefined();
    });

    test("claims return the oldest first, and none that is not due", async () => {
      const now = Date.now();
      const at = (ms: number): NewRun => newRun({ created_at: new Date(now + ms).toISOString() });
      const [late, first, second] = [at(60_000), at(-2_000), at(-1_000)];
      for (const run of [late, second, first]) await store.runs.insert(run);
      const claimed = await store.runs.claim(10, now, begin);
      expect(claimed.map((run) => run.run_id)).toEqual([first.run_id, second.run_id]);
      expect(claimed.every((run) => run.status === "running" && run.token === 1)).toBe(true);
      expect(await store.runs.nextDue(now)).toBe(now + 60_000);
    });

    test("concurrent claims never return one run twice", async () => {
      const inserted = Array.from({ length: 60 }, () => newRun());
      await Promise.all(inserted.map((run) => store.runs.insert(run)));
      const claims = await Promise.all(
        Array.from({ length: 20 }, () => store.runs.claim(7, Date.now() + 1_000, begin)),
      );
      const ids = claims.flat().map((run) => run.run_id);
      expect(ids).toHaveLength(60);
      expect(new Set(ids)).toEqual(new Set(inserted.map((run) => run.run_id)));
    });

    test("events are numbered 0, 1, 2, ... without a gap from the claim on, whoever appends", async () => {
      await store.runs.insert(newRun());
      const run = await claimOne();
      const firsts = await Promise.all(
        [2, 1, 3, 1].map((count) =>
          store.runs.append(run.run_id, run.token, newEvents(...Array<string>(count).fill("x"))),
        ),
      );
      expect(firsts).toEqual([1, 3, 4, 7]);
      const events = await store.runs.read(run.run_id, -1, 100);
      expect(events.map((event) => event.id)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    });

    test("a run that is not resumable has only explicitly stored events", async () => {
      const fresh = newRun();
      await store.runs.insert({ ...fresh, kwargs: { ...fresh.kwargs, resumable: false } });
      const run = await claimOne();
      expect(await store.runs.read(run.run_id, -1, 10)).toEqual([]);
      await store.runs.store(run.run_id, run.token, 3, newEvents("a", "b"));
      await store.runs.finish(run, { status: "success" }, [], 1);
      expect((await store.runs.read(run.run_id, -1, 10)).map(({ id, event }) => [id, event])).toEqual([
        [3, "a"],
        [4, "b"],
      ]);
    });

    test("reading after n gives exactly n+1, n+2, ...", async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 6 }), async (sizes) => {
          await store.runs.insert(newRun());
          const run = await claimOne();
          const names = sizes.flatMap((size, batch) => Array.from({ length: size }, (_, n) => `e|${batch}\t"${n}"`));
          let from = 0;
          for (const size of sizes) {
            await store.runs.append(run.run_id, run.token, newEvents(...names.slice(from, from + size)));
            from += size;
          }
          names.unshift("metadata");
          for (let after = -1; after < names.length; after++) {
            const events = await store.runs.read(run.run_id, after, 100);
            expect(events.map((event) => [event.id, event.event])).toEqual(
              names.map((event, id) => [id, event]).slice(after + 1),
            );
          }
        }),
        { numRuns: 15 },
      );
    });

    test("a stale token changes nothing", async () => {
      await store.runs.insert(newRun());
      const run = await claimOne();
      const before = await store.runs.get(run.run_id);
      expect(await store.runs.append(run.run_id, run.token - 1, newEvents("stale"))).toBeUndefined();
      expect(
        await store.runs.finish(running(run.run_id, run.token + 1), { status: "success" }, newEvents("stale"), 1),
      ).toBeUndefined();
      expect(await store.runs.get(run.run_id)).toEqual(before);
      expect(await store.runs.read(run.run_id, 0, 10)).toEqual([]);
    });

    test("an executor that has lost its claim changes nothing, before the next claim and after it", async () => {
      const stored = newRun();
      await store.runs.insert({ ...stored, kwargs: { ...stored.kwargs, resumable: false } });
      const lost = await claimOne();
      expect(await store.runs.requeue(lost, "crashed")).toBe(true);
      const before = await store.runs.get(lost.run_id);
      const write = async (): Promise<void> => {
        expect(await store.runs.append(lost.run_id, lost.token, newEvents("late"))).toBeUndefined();
        await store.runs.store(lost.run_id, lost.token, 1, newEvents("late"));
        expect(await store.runs.requeue(lost, "crashed")).toBe(false);
        expect(await store.runs.finish(lost, { status: "success" }, newEvents("late"), 1)).toBeUndefined();
        expect(await store.runs.read(lost.run_id, -1, 10)).toEqual([]);
      };
      await write();
      expect(await store.runs.get(lost.run_id)).toEqual(before);
      expect(await claimOne()).toMatchObject({ run_id: lost.run_id, token: lost.token + 1, crashes: 1 });
      await write();
    });

    test("a run counts crashes, and not when its executor was told to stop", async () => {
      await store.runs.insert(newRun());
      const counted: number[] = [];
      for (const loss of ["stopped", "crashed", "stopped", "stopped", "crashed"] as const) {
        const run = await claimOne();
        await store.runs.requeue(run, loss);
        counted.push((await store.runs.get(run.run_id))?.crashes ?? -1);
      }
      expect(counted).toEqual([0, 1, 1, 1, 2]);
      expect(await claimOne()).toMatchObject({ token: 6, crashes: 2 });
    });

    test("the state of a run follows the table of transitions", async () => {
      const outcomes = { succeed: "success", fail: "error", interrupt: "interrupted", time_out: "timeout" } as const;
      const step = fc.constantFrom(...runSteps);
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 5 }), async (path) => {
          const run = newRun();
          await store.runs.insert(run);
          let expected: RunStatus = "pending";
          for (const next of path) {
            const to: RunStatus | null = runTransitions[expected][next];
            // Only an executor reports success, so a run that nobody claimed cannot succeed.
            if (next === "succeed" && expected === "pending") continue;
            const stored = await store.runs.get(run.run_id);
            if (!stored) throw new Error("the run is gone");
            const changed =
              next === "claim"
                ? (await store.runs.claim(1000, Date.now() + 1_000, begin)).some((one) => one.run_id === run.run_id)
                : next === "requeue"
                  ? await store.runs.requeue(stored, "crashed")
                  : (await store.runs.finish(stored, { status: outcomes[next] }, newEvents("end"), 1)) !== undefined;
            expect(changed).toBe(to !== null);
            if (to !== null) expected = to;
            expect((await store.runs.get(run.run_id))?.status).toBe(expected);
          }
        }),
        { numRuns: 30 },
      );
    });

    test("the sweep deletes ended runs that are not kept, failed ones later than others", async () => {
      const ended = async (status: "success" | "error", at: number, keep: boolean): Promise<string> => {
        await store.runs.insert(newRun({ keep }));
        const run = await claimOne();
        const error = status === "error" ? { error: "RangeError", message: "kaput" } : undefined;
        await store.runs.finish(run, { status, error }, newEvents("end"), at);
        return run.run_id;
      };
      const old = await ended("success", 1_000, false);
      const failed = await ended("error", 1_000, false);
      const kept = await ended("success", 1_000, true);
      const fresh = await ended("success", 9_000, false);
      expect(await store.runs.sweep(5_000, 500)).toBe(1);
      expect(await store.runs.get(old)).toBeUndefined();
      expect(await store.runs.read(old, -1, 10)).toEqual([]);
      for (const id of [failed, kept, fresh]) expect(await store.runs.get(id)).toBeDefined();
      expect((await store.runs.incidents(5)).map((one) => [one.run, one.error.message])).toEqual([[failed, "kaput"]]);
      expect(await store.runs.sweep(5_000, 5_000)).toBe(1);
    });

    test("counts report pending and running runs, and how the others ended", async () => {
      for (let n = 0; n < 4; n++) await store.runs.insert(newRun());
      const [a, b] = await store.runs.claim(3, Date.now() + 1_000, begin);
      await store.runs.finish(running(a?.run_id ?? ""), { status: "success" }, newEvents("end"), 1_000);
      await store.runs.finish(running(b?.run_id ?? ""), { status: "timeout" }, newEvents("end"), 5_000);
      expect(await store.runs.counts(2_000)).toEqual({ pending: 1, running: 1, success: 0, error: 1, interrupted: 0 });
      expect(await store.runs.counts(500)).toEqual({ pending: 1, running: 1, success: 1, error: 1, interrupted: 0 });
    });

    test("the queue has the runs that are due or under way, and since when the first waits", async () => {
      expect(await store.runs.queue(5_000)).toEqual({ pending: 0, running: 0, oldest: undefined });
      for (const due of [4_000, 3_000, 9_000])
        await store.runs.insert(newRun({ created_at: new Date(due).toISOString() }));
      expect(await store.runs.queue(5_000)).toEqual({ pending: 2, running: 0, oldest: 3_000 });
      await store.runs.claim(1, 5_000, begin);
      expect(await store.runs.queue(5_000)).toEqual({ pending: 1, running: 1, oldest: 4_000 });
      expect(await store.runs.queue(9_000)).toEqual({ pending: 2, running: 1, oldest: 4_000 });
    });
  });
}
