import fc from "fast-check";
import { v6 } from "uuid";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { uuid6 } from "@langchain/langgraph-checkpoint";

const { now } = Date;
type ClockModule = typeof import("../../lib/worker/checkpoints/clock.ts");
let passTimeOf: ClockModule["passTimeOf"];
let timeOfId: ClockModule["timeOfId"];
/** Each test has a module that has not set the time of its process yet. */
beforeEach(async () => {
  vi.resetModules();
  ({ passTimeOf, timeOfId } = await import("../../lib/worker/checkpoints/clock.ts"));
});
afterEach(() => {
  Date.now = now;
});

test("the time of an id is that of which it was made", () => {
  fc.assert(fc.property(fc.integer({ min: 0, max: 2 ** 45 }), (msecs) => timeOfId(v6({ msecs })) === msecs));
  for (const other of ["", "1", crypto.randomUUID(), "not an id"]) expect(timeOfId(other)).toBeUndefined();
});

test("an id after that of a machine whose clock is ahead is greater", () => {
  for (const aheadMs of [0, 1, 5, 300_000, 300_000, 299_000, 600_000]) {
    const before = v6({ msecs: now() + aheadMs });
    passTimeOf(before);
    expect(uuid6(0) > before).toBe(true);
  }
});

test("the time of this process stays as it is after ids of the past, of no clock, and of other kinds", () => {
  for (const id of [v6({ msecs: now() - 1 }), v6({ msecs: now() + 1e12 }), crypto.randomUUID()]) passTimeOf(id);
  expect(Date.now).toBe(now);
});
