import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createLoop, createPool, RETRY_MS, withPool } from "../../lib/engine/loop.ts";

const clock = { now: () => Date.now() };

beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

const pause = (ms: number): Promise<void> =>
  ms === 0 ? Promise.resolve() : new Promise((resolve) => void setTimeout(resolve, ms));

/** A loop whose rounds take everything that is due by then. */
function queue(rounds: readonly { takes: number; fails: boolean }[]) {
  const due: number[] = [];
  const late: number[] = [];
  let running = 0;
  let most = 0;
  let begun = 0;
  let stopped = false;
  const failures: unknown[] = [];
  const round = async (byAlarm: boolean): Promise<number | undefined> => {
    expect(stopped).toBe(false);
    most = Math.max(most, ++running);
    const { takes, fails } = rounds[begun++ % rounds.length] ?? { takes: 0, fails: false };
    const now = clock.now();
    const taken = fails ? [] : due.filter((time) => time <= now);
    for (const time of taken) due.splice(due.indexOf(time), 1);
    await pause(takes);
    running--;
    if (fails) throw new Error("the database is away");
    late.push(...taken.map((time) => now - time));
    // A round returns the next time only when it was started by the timer.
    return byAlarm && due.length > 0 ? Math.min(...due) : undefined;
  };
  const loop = createLoop(clock, round, (error) => failures.push(error));
  const add = (time: number): void => {
    due.push(time);
    loop.wake(time);
  };
  const stop = async (): Promise<void> => {
    await loop.stop();
    expect(running).toBe(0);
    stopped = true;
  };
  return { add, stop, loop, due, late, failures, most: () => most, begun: () => begun };
}

const rounds = fc.array(fc.record({ takes: fc.integer({ min: 0, max: 50 }), fails: fc.boolean() }), {
  minLength: 1,
  maxLength: 6,
});
const wakes = fc.array(fc.record({ after: fc.nat(40), in: fc.oneof(fc.constant(0), fc.nat(200)) }), { maxLength: 30 });

describe("a loop", () => {
  test("runs no two rounds at a time, loses no wake, and begins nothing after its last round", async () => {
    await fc.assert(
      fc.asyncProperty(
        rounds.filter((some) => some.some(({ fails }) => !fails)),
        wakes,
        fc.boolean(),
        async (some, planned, stopsEarly) => {
          const { add, stop, due, failures, most } = queue(some);
          for (const wake of planned) {
            await vi.advanceTimersByTimeAsync(wake.after);
            add(clock.now() + wake.in);
          }
          // Every failed round is followed by another after a pause; one of `some` does not fail.
          if (!stopsEarly)
            await vi.advanceTimersByTimeAsync(300 + (RETRY_MS + 100) * some.length * (planned.length + 1));
          const stopping = stop();
          await vi.advanceTimersByTimeAsync(100);
          await stopping;
          await vi.advanceTimersByTimeAsync(RETRY_MS * 2);
          expect(most()).toBeLessThanOrEqual(1);
          if (!stopsEarly) expect(due).toEqual([]);
          if (some.every(({ fails }) => !fails)) expect(failures).toEqual([]);
        },
      ),
      { numRuns: 200 },
    );
  });

  test("begins a round at once when it is woken, or exactly at the given time", async () => {
    const { add, late, loop, begun } = queue([{ takes: 0, fails: false }]);
    add(0);
    expect(begun()).toBe(1);
    for (const time of [70, 20, 90, 20]) add(time);
    await vi.advanceTimersByTimeAsync(90);
    expect(late).toEqual([0, 0, 0, 0, 0]);
    expect(begun()).toBe(4);
    await loop.stop();
    expect(vi.getTimerCount()).toBe(0);
  });

  test("pauses after a round that failed, unless it is woken", async () => {
    const { loop, failures, begun } = queue([{ takes: 0, fails: true }]);
    loop.wake();
    await vi.advanceTimersByTimeAsync(RETRY_MS - 1);
    expect([begun(), failures.length]).toEqual([1, 1]);
    await vi.advanceTimersByTimeAsync(1);
    expect([begun(), failures.length]).toEqual([2, 2]);
    loop.wake();
    await loop.idle();
    expect(begun()).toBe(3);
  });

  test("waits for a time beyond the range of a timer", async () => {
    const inTwoMonths = 60 * 24 * 3_600_000;
    const { add, late } = queue([{ takes: 0, fails: false }]);
    add(inTwoMonths);
    await vi.advanceTimersByTimeAsync(inTwoMonths);
    expect(late).toEqual([0]);
  });

  test("runs one round for a tick, without a timer, and rejects when it fails", async () => {
    const { loop, due, begun, failures } = queue([
      { takes: 0, fails: false },
      { takes: 0, fails: true },
    ]);
    due.push(0, 500);
    await loop.tick();
    expect(due).toEqual([500]);
    await expect(loop.tick()).rejects.toThrow("away");
    expect([begun(), failures, vi.getTimerCount()]).toEqual([2, [], 0]);
  });

  test("ticks after the round under way, and runs another when it was woken during the tick", async () => {
    const { loop, most, begun } = queue([{ takes: 10, fails: false }]);
    loop.wake();
    const ticking = loop.tick();
    await vi.advanceTimersByTimeAsync(15);
    expect(begun()).toBe(2);
    loop.wake();
    await vi.advanceTimersByTimeAsync(5);
    await ticking;
    await vi.advanceTimersByTimeAsync(10);
    await loop.idle();
    expect([begun(), most()]).toEqual([3, 1]);
  });
});

describe("a loop with a pool", () => {
  test("has no more work under way than its round allows, and has stopped when all of it has ended", async () => {
    const work = fc.array(fc.record({ takes: fc.nat(50), fails: fc.boolean() }), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(work, fc.integer({ min: 1, max: 5 }), fc.nat(60), async (all, slots, stopAfter) => {
        const waiting = [...all];
        const failures: unknown[] = [];
        let ended = 0;
        let aborted = 0;
        const pool = createPool<number>(
          () => loop.wake(),
          (error) => failures.push(error),
        );
        const loop = withPool(
          createLoop(
            clock,
            async () => {
              await pause(0);
              while (pool.size < slots) {
                const next = waiting.shift();
                if (!next) break;
                const doing = async (): Promise<void> => {
                  await pause(next.takes);
                  ended++;
                  if (next.fails) throw new Error("kaput");
                };
                pool.begin(next.takes, doing());
              }
              expect(pool.size).toBeLessThanOrEqual(slots);
              return undefined;
            },
            (error) => failures.push(error),
          ),
          pool,
          () => aborted++,
        );
        loop.wake();
        await vi.advanceTimersByTimeAsync(stopAfter);
        const stopping = loop.stop().then(() => [pool.size, ended, aborted]);
        await vi.advanceTimersByTimeAsync(100);
        const begun = all.length - waiting.length;
        expect(await stopping).toEqual([0, begun, 1]);
        expect(failures).toHaveLength(all.slice(0, begun).filter(({ fails }) => fails).length);
        if (stopAfter === 60 && all.length <= slots) expect(waiting).toEqual([]);
      }),
    );
  });

  test("is idle when its work has ended, and the rounds that this caused", async () => {
    const waiting = ["a", "b", "c"];
    const done: string[] = [];
    const pool = createPool<string>(
      () => loop.wake(),
      () => undefined,
    );
    const loop = withPool(
      createLoop(
        clock,
        () => {
          const next = pool.size === 0 ? waiting.shift() : undefined;
          if (next)
            pool.begin(
              next,
              pause(10).then(() => void done.push(next)),
            );
          return Promise.resolve(undefined);
        },
        () => undefined,
      ),
      pool,
    );
    loop.wake();
    expect(pool.items()).toEqual(["a"]);
    const idle = loop.idle();
    await vi.advanceTimersByTimeAsync(30);
    await idle;
    expect(done).toEqual(["a", "b", "c"]);
  });
});
