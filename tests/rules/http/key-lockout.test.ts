import fc from "fast-check";
import { expect, test } from "vitest";
import {
  recordWrongKey,
  lockedUntil,
  MOST_WRONG,
  NO_ATTEMPTS,
  type KeyAttempts,
  WINDOW_MS,
} from "../../../lib/rules/http/key-lockout.ts";

/** Wrong keys, each with the pause before it. */
const tries = fc.array(
  fc.tuple(fc.constantFrom(...Array.from({ length: 26 }, (_, n) => `key ${n}`)), fc.nat(WINDOW_MS / 4)),
  {
    maxLength: 80,
  },
);

interface Step {
  at: number;
  key: string;
  answered: boolean;
  after: KeyAttempts;
}

function play(steps: readonly (readonly [string, number])[]): Step[] {
  const played: Step[] = [];
  let at = 1_000_000;
  let state = NO_ATTEMPTS;
  for (const [key, pause] of steps) {
    at += pause;
    const judged = recordWrongKey(state, key, at);
    state = judged.attempts;
    if (judged.until !== undefined) expect(judged.until).toBeGreaterThan(at);
    played.push({ at, key, answered: judged.until === undefined, after: state });
  }
  return played;
}

test("in no minute are more than ten wrong keys answered, nor more than ten different ones compared", () => {
  fc.assert(
    fc.property(tries, (steps) => {
      const played = play(steps);
      let locked = false;
      const lookedAt: Step[] = [];
      for (const step of played) {
        if (!locked) lookedAt.push(step);
        locked = lockedUntil(step.after, step.at) !== undefined;
        const within = (one: Step): boolean => step.at - one.at < WINDOW_MS;
        expect(played.filter((one) => one.answered && one.at <= step.at && within(one)).length).toBeLessThanOrEqual(10);
      }
      for (const step of lookedAt) {
        const minute = lookedAt.filter((one) => one.at <= step.at && step.at - one.at < WINDOW_MS);
        expect(new Set(minute.map(({ key }) => key)).size).toBeLessThanOrEqual(MOST_WRONG + 1);
      }
      for (const { after } of played) expect(Math.max(after.answered.length, after.keys.size)).toBeLessThanOrEqual(10);
    }),
  );
});

test("one wrong key locks nobody out, however often it is repeated; from the eleventh time in a minute it must wait", () => {
  const played = play(Array.from({ length: 40 }, () => ["same", 100]));
  expect(played.map(({ answered }) => answered)).toEqual(played.map((_, index) => index < 10));
  for (const { after, at } of played) expect(lockedUntil(after, at)).toBeUndefined();
});

test("ten different wrong keys lock the address, until a minute after the first", () => {
  const played = play(Array.from({ length: 10 }, (_, index) => [`key ${index}`, 1_000]));
  const [first, last] = [played[0], played.at(-1)];
  if (!first || !last) throw new Error("nothing was played");
  expect(played.every(({ answered }) => answered)).toBe(true);
  expect(lockedUntil(played[8]?.after ?? NO_ATTEMPTS, last.at)).toBeUndefined();
  expect(lockedUntil(last.after, last.at)).toBe(first.at + WINDOW_MS);
  expect(lockedUntil(last.after, first.at + WINDOW_MS)).toBeUndefined();
});

test("tries during a lock do not prolong it", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(WINDOW_MS / 20), { maxLength: 15 }), (pauses) => {
      const locked = play(Array.from({ length: 10 }, (_, index) => [`key ${index}`, 0])).at(-1);
      if (!locked) throw new Error("nothing was played");
      const until = lockedUntil(locked.after, locked.at);
      let [state, at] = [locked.after, locked.at];
      for (const pause of pauses) {
        at += pause;
        const judged = recordWrongKey(state, `another ${at}`, at);
        state = judged.attempts;
        expect(judged.until).toBe(until);
      }
    }),
  );
});

test("a clock that is set back ends a lock", () => {
  const locked = play(Array.from({ length: 10 }, (_, index) => [`key ${index}`, 0])).at(-1);
  expect(lockedUntil(locked?.after ?? NO_ATTEMPTS, 0)).toBeUndefined();
});
