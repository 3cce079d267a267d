import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { follow } from "../../lib/engine/follow.ts";
import type { EventLog, RunStore, StoredRun } from "../../lib/engine/ports/ports.ts";
import type { RunEventStore } from "../../lib/engine/ports/runs.ts";
import { END, type NewEvent } from "../../lib/protocol/stream.ts";
import { begin, newRun, onThread } from "./runs.suite.ts";

export interface EventLogUnderTest {
  runs: RunStore & RunEventStore;
  log: EventLog;
  close(): Promise<void>;
}

const KINDS = [
  { kind: "stored", stored: true },
  { kind: "passing", stored: false },
];

/** A log that differs from the one of a single process tells the suite how. */
export interface LogSuiteOptions {
  kinds?: readonly ("stored" | "passing")[];
  /** Listeners also notice what other servers may have done, a moment later or in vain. */
  polls?: boolean;
}

/** Tests that every event log must pass for its followers. */
export function eventLogSuite(
  name: string,
  open: () => Promise<EventLogUnderTest>,
  { kinds = ["stored", "passing"], polls = false }: LogSuiteOptions = {},
): void {
  describe.each(KINDS.filter(({ kind }) => kinds.some((one) => one === kind)))(
    `the event log of ${name}, $kind events`,
    ({ stored }) => {
      let under: EventLogUnderTest;
      beforeEach(async () => {
        under = await open();
      });
      afterEach(async () => {
        await under.close();
      });

      const claimed = async ({ threaded = false, isRead = false } = {}): Promise<StoredRun> => {
        const plain = newRun();
        const fresh = { ...plain, threaded, kwargs: { ...plain.kwargs, resumable: stored } };
        under.log.open(fresh, -1);
        if (isRead) await under.log.expectReader(fresh.run_id);
        await (threaded ? under.runs.enqueue(...onThread(fresh)) : under.runs.insert(fresh));
        const [run] = await under.log.claim(1, begin);
        if (!run) throw new Error("nothing to claim");
        return run;
      };
      const event = (n: number, size = 0): NewEvent => ({
        event: "custom",
        data: `{"n":${n},"pad":"${"x".repeat(size)}"}`,
      });
      const end: NewEvent = { event: END, data: '{"status":"success"}' };
      const finish = (run: StoredRun): Promise<boolean> =>
        under.log.finish(run, { status: "success" }, [end]).then((finished) => finished !== undefined);
      const readIds = async (run: StoredRun, after: number): Promise<number[]> => {
        const ids: number[] = [];
        for await (const batch of follow(under, run.run_id, after)) ids.push(...batch.map((one) => one.id));
        return ids;
      };
      const range = (from: number, to: number): number[] =>
        Array.from({ length: Math.max(0, to - from) }, (_, n) => from + n);

      test("the end of a run stores the time of its first event with a piece of a message", async () => {
        const message = (name: string): NewEvent => ({ event: name, data: "[]" });
        const timesOf = async (...batches: NewEvent[][]): Promise<(string | null | undefined)[]> => {
          const run = await claimed();
          const before = new Date().toISOString();
          for (const batch of batches.slice(0, -1)) await under.log.append(run.run_id, run.token, batch);
          const last = [...(batches.at(-1) ?? []), end];
          await under.log.finish(run, { status: "success" }, last);
          const ended = await under.runs.get(run.run_id);
          return [before, ended?.first_token_at, ended?.ended_at];
        };
        expect((await timesOf([event(0)], [message("messages/metadata")], []))[1]).toBeNull();
        for (const name of ["messages", "messages|child:1", "messages/partial"]) {
          const early = await timesOf([event(0)], [message(name), event(1)], [message(name)]);
          expect(early).toEqual(early.toSorted());
          expect(early).not.toContain(null);
          const late = await timesOf([event(0)], [message(name)]);
          expect(late[1]).toBe(late[2]);
        }
      });

      test("followers of a closed log, and later ones, do not take that for the end of a run", async () => {
        const run = await claimed({ threaded: true });
        const watch = under.log.watch(run.thread_id);
        const waiting = [readIds(run, -1), ...(polls ? [] : [watch.begun()])];
        const outcomes = Promise.allSettled(waiting);
        await under.log.append(run.run_id, run.token, [event(0)]);
        under.log.close();
        for (const outcome of await outcomes) expect(outcome).toMatchObject({ reason: { name: "AbortError" } });
        await expect(readIds(run, -1)).rejects.toThrow("aborted");
        await expect(watch.begun()).rejects.toThrow("aborted");
        watch.close();
      });

      test.skipIf(polls)(
        "a listener for threads is notified when a run begins and ends, with or without a thread",
        async () => {
          let notifications = 0;
          const stop = under.log.onThreadChange(() => notifications++);
          for (const threaded of [false, true]) {
            notifications = 0;
            const run = await claimed({ threaded });
            expect(notifications).toBe(1);
            await under.log.append(run.run_id, run.token, [event(0)]);
            expect(notifications).toBe(1);
            await finish(run);
            expect(notifications).toBe(2);
          }
          under.log.notifyThreads();
          expect(notifications).toBe(3);
          stop();
          await finish(await claimed({ threaded: true }));
          expect(notifications).toBe(3);
        },
      );

      test("following after n gives exactly n+1, n+2, ... to the end, under concurrent appends", async () => {
        const sizes = fc.array(fc.integer({ min: 1, max: 8 }), { minLength: 1, maxLength: 12 });
        const joins = fc.array(fc.record({ before: fc.nat(12), after: fc.integer({ min: -1, max: 40 }) }), {
          maxLength: 6,
        });
        await fc.assert(
          fc.asyncProperty(sizes, joins, fc.boolean(), async (batches, followers, isRead) => {
            const run = await claimed({ isRead });
            const total = batches.reduce((sum, size) => sum + size, 0);
            const following: Promise<void>[] = [];
            for (const [index, size] of batches.entries()) {
              for (const { before, after } of followers.filter((one) => one.before % batches.length === index)) {
                const from = Math.min(after, total - 1);
                following.push(readIds(run, from).then((ids) => expect(ids).toEqual(range(from + 1, total + 2))));
                expect(before).toBeGreaterThanOrEqual(0);
              }
              void under.log.append(
                run.run_id,
                run.token,
                range(0, size).map((n) => event(n)),
              );
            }
            expect(await finish(run)).toBe(true);
            await Promise.all(following);
          }),
          { numRuns: 40 },
        );
      });

      test("a late follower reads a log larger than its memory without a gap", async () => {
        const run = await claimed();
        for (let batch = 0; batch < 30; batch++) {
          await under.log.append(
            run.run_id,
            run.token,
            range(0, 10).map((n) => event(n, 4_000)),
          );
        }
        await finish(run);
        expect(await readIds(run, -1)).toEqual(range(0, 302));
        expect(await readIds(run, 150)).toEqual(range(151, 302));
      });

      test("a slow follower misses nothing, however many events other runs emit", async () => {
        const run = await claimed();
        await under.log.append(run.run_id, run.token, [event(0), event(1)]);
        const reading = follow(under, run.run_id, -1);
        const ids = async (): Promise<number[]> => ((await reading.next()).value ?? []).map((one) => one.id);
        expect(await ids()).toEqual([0, 1, 2]);
        await under.log.append(run.run_id, run.token, [event(2)]);
        await finish(run);
        for (let n = 0; n < 100; n++) {
          const other = await claimed();
          await under.log.append(other.run_id, other.token, [event(0, 250_000)]);
          await finish(other);
        }
        expect(await ids()).toEqual([3, 4]);
      });

      test("a follower waits while a run is live and ends with it", async () => {
        const run = await claimed();
        const reading = readIds(run, -1);
        await under.log.append(run.run_id, run.token, [event(0)]);
        await finish(run);
        expect(await reading).toEqual([0, 1, 2]);
        expect(await under.log.isLive(run.run_id)).toBe(false);
      });

      test("following an ended run to its last event ends at once", async () => {
        const run = await claimed();
        await finish(run);
        expect(await readIds(run, 1)).toEqual([]);
        expect(await readIds(run, 99)).toEqual([]);
      });

      test("an aborted follower ends, and leaves nothing behind", async () => {
        const run = await claimed();
        const leave = new AbortController();
        const batches = follow(under, run.run_id, -1, leave.signal);
        await batches.next();
        const next = batches.next();
        leave.abort();
        expect(await next).toEqual({ done: true, value: undefined });
      });

      test("events under a stale token are neither stored nor published", async () => {
        const run = await claimed();
        expect(await under.log.append(run.run_id, run.token + 1, [event(0)])).toBe(false);
        await finish(run);
        expect(await readIds(run, -1)).toEqual([0, 1]);
      });
    },
  );
}
