import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { followThread } from "../../lib/engine/thread-stream/follow-runs.ts";
import type { EventLog, RunStore, StoredRun } from "../../lib/engine/ports/ports.ts";
import type { RunEventStore } from "../../lib/engine/ports/runs.ts";
import { END, type NewEvent } from "../../lib/protocol/stream.ts";
import type { ThreadEvent } from "../../lib/protocol/thread-stream.ts";
import { begin, newRun, pending } from "./runs.suite.ts";

export interface ThreadEventsUnderTest {
  runs: RunStore & RunEventStore;
  log: EventLog;
  close(): Promise<void>;
}

/** Tests the events of a thread across all of its runs. */
export function threadEventsSuite(name: string, open: () => Promise<ThreadEventsUnderTest>): void {
  describe(`the events of a thread in ${name}`, () => {
    let under: ThreadEventsUnderTest;
    beforeEach(async () => {
      under = await open();
    });
    afterEach(async () => {
      await under.close();
    });

    const custom = (n: number): NewEvent => ({ event: "custom", data: String(n) });
    const end: NewEvent = { event: END, data: '{"status":"success"}' };

    async function enqueue(threadId: string, changes: { resumable?: boolean; later?: number } = {}): Promise<string> {
      const { resumable = true, later = 0 } = changes;
      const plain = newRun({ thread_id: threadId, threaded: true });
      const created_at = new Date(Date.parse(plain.created_at) + later).toISOString();
      const run = { ...plain, created_at, kwargs: { ...plain.kwargs, resumable } };
      under.log.open(run, -1);
      const create = { thread_id: threadId, metadata: {}, config: {}, created_at };
      expect(await under.runs.enqueue(run, { alone: false, metadata: {}, create })).toBe("stored");
      return run.run_id;
    }
    async function claim(): Promise<StoredRun> {
      const [run] = await under.log.claim(1, begin);
      if (!run) throw new Error("nothing to claim");
      return run;
    }
    const finish = (run: StoredRun, events: NewEvent[] = []): Promise<boolean> =>
      under.log.finish(run, { status: "success" }, [...events, end]).then((finished) => finished !== undefined);

    /** Follows a thread until the run of this id has ended. */
    async function eventsUntil(threadId: string, last: string, since?: number): Promise<ThreadEvent[]> {
      const stop = new AbortController();
      const all: ThreadEvent[] = [];
      for await (const { events, end = [] } of followThread(under, threadId, { since, signal: stop.signal })) {
        all.push(...events, ...end);
        if (end.some(({ event_id }) => event_id === `synth:${last}:lc||completed`)) break;
      }
      return all;
    }

    test("continue across runs, also from before the thread exists, and are the same at every replay", async () => {
      const threadId = randomUUID();
      let last = "";
      const stop = new AbortController();
      const live: ThreadEvent[] = [];
      const following = (async () => {
        for await (const { events, end = [] } of followThread(under, threadId, { signal: stop.signal }))
          live.push(...events, ...end);
      })();
      for (const n of [1, 2, 3]) {
        last = await enqueue(threadId);
        const run = await claim();
        await under.log.append(run.run_id, run.token, [custom(n), custom(n)]);
        await finish(run, [custom(n)]);
      }
      const replay = await eventsUntil(threadId, last);
      while (live.length < replay.length) await new Promise((later) => setImmediate(later));
      stop.abort();
      await following;
      expect(live).toEqual(replay);
      expect(replay.filter(({ method }) => method === "custom").map(({ data }) => data)).toEqual(
        [1, 1, 1, 2, 2, 2, 3, 3, 3].map((n) => `{"payload":${n}}`),
      );
      for (const [index, { seq }] of replay.entries()) expect(seq).toBeGreaterThan(replay[index - 1]?.seq ?? 0);
      const middle = replay[7]?.seq ?? 0;
      const rest = await eventsUntil(threadId, last, middle);
      expect(rest.filter(({ seq }) => seq > middle)).toEqual(replay.slice(8));
      expect(rest.length).toBeLessThan(replay.length);
    });

    test.for([true, false])(
      "have numbers after those of the run before, whose last events are stored as it ends (resumable: %s)",
      async (resumable) => {
        const threadId = randomUUID();
        const id = await enqueue(threadId, { resumable });
        const run = await claim();
        const many = Array.from({ length: 40 }, (_, n) => custom(n));
        // The end of a run does not wait for its events.
        const appended = under.log.append(run.run_id, run.token, many);
        const ended = finish(run);
        expect(await Promise.all([appended, ended])).toEqual([true, true]);
        await enqueue(threadId, { resumable });
        const next = await claim();
        expect(next.position).toBeGreaterThan((under.log.newest(id) ?? Infinity) + (run.position ?? Infinity));
      },
    );

    test("come with the end of each run, once, also of a run that is left out", async () => {
      const threadId = randomUUID();
      for (const resumable of [true, true, false, true]) {
        await enqueue(threadId, { resumable });
        await finish(await claim(), [custom(1)]);
      }
      const [, second, , last] = await under.runs.begun(threadId, 0, 10);
      const since = (await eventsUntil(threadId, second?.run_id ?? "")).at(-1)?.seq;
      const stop = new AbortController();
      const ends: [run: number, events: number][] = [];
      for await (const { run, end } of followThread(under, threadId, { since, signal: stop.signal })) {
        if (end) ends.push([run, end.length]);
        if (run === last?.position) break;
      }
      const positions = (await under.runs.begun(threadId, 0, 10)).map(({ position }) => position);
      expect(ends.map(([run]) => run)).toEqual(positions);
      expect(ends.at(0)?.[1]).toBe(0);
      expect(ends.at(-1)?.[1]).toBeGreaterThan(0);
    });

    test("keep their numbers when a run restarts, and numbers of a deleted run are not reused", async () => {
      const threadId = randomUUID();
      const first = await enqueue(threadId);
      const run = await claim();
      await under.log.append(run.run_id, run.token, [custom(1)]);
      expect(await under.runs.requeue(run, "crashed")).toBe(true);
      const again = await claim();
      expect(again.run_id).toBe(first);
      expect(again.position).toBe(run.position);
      await finish(again, [custom(2)]);
      const before = await eventsUntil(threadId, first);
      expect(before.filter(({ data }) => data.includes("running"))).toHaveLength(1);
      await under.runs.delete(first);
      const second = await enqueue(threadId);
      await finish(await claim());
      const after = await eventsUntil(threadId, second);
      expect(after[0]?.seq).toBeGreaterThan(before.at(-1)?.seq ?? 0);
    });

    test("are those of the runs in the order in which these began, without runs that never did", async () => {
      const threadId = randomUUID();
      const late = await enqueue(threadId, { later: 60_000 });
      const never = await enqueue(threadId);
      const soon = await enqueue(threadId);
      await under.log.finish(pending(never), { status: "interrupted" }, [
        { event: END, data: '{"status":"interrupted"}' },
      ]);
      const run = await claim();
      expect(run.run_id).toBe(soon);
      await finish(run);
      const events = await eventsUntil(threadId, soon);
      expect(events.map(({ event_id }) => event_id)).toEqual([
        `synth:${soon}:lc||running`,
        `synth:${soon}:lc||completed`,
      ]);
      expect((await under.runs.begun(threadId, 0, 10)).map(({ run_id }) => run_id)).toEqual([soon]);
      expect((await under.runs.get(late))?.position).toBeUndefined();
    });

    test("are deleted some time after the end of their run, which stays, and numbering continues", async () => {
      const threadId = randomUUID();
      const first = await enqueue(threadId);
      await finish(
        await claim(),
        Array.from({ length: 4_000 }, (_, n) => custom(n)),
      );
      const before = await eventsUntil(threadId, first);
      await under.runs.sweep(Date.now() + 1_000, 0);
      expect(await under.runs.read(first, -1, 10)).toEqual([]);
      expect(await under.runs.get(first)).toMatchObject({ status: "success" });
      const second = await enqueue(threadId);
      await finish(await claim());
      const after = await eventsUntil(threadId, second);
      expect(after.at(-1)?.seq).toBeGreaterThan(before.at(-1)?.seq ?? 0);
    });

    test("that are not stored still use up their numbers", async () => {
      const threadId = randomUUID();
      const passing = await enqueue(threadId, { resumable: false });
      const run = await claim();
      await under.log.append(
        run.run_id,
        run.token,
        Array.from({ length: 100 }, (_, n) => custom(n)),
      );
      await finish(run);
      const before = await eventsUntil(threadId, passing);
      expect(before).toHaveLength(102);
      const next = await enqueue(threadId);
      await finish(await claim());
      const all = await eventsUntil(threadId, next);
      expect(all.at(-2)?.seq).toBeGreaterThan(before.at(-1)?.seq ?? 0);
    });
  });
}
