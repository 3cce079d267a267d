import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { isUnavailable, tryAgain } from "../../lib/drivers/sql/try-again.ts";
import { Fault } from "../../lib/protocol/faults.ts";

const withCode = (code: string): Error => Object.assign(new Error("it failed"), { code });
const refused = withCode("ECONNREFUSED");

// Pauses take their real time; how long it has been tried is told by this clock.
beforeEach(() => vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => vi.useRealTimers());

test("work is done again until the database is back, and its wait is told once", async () => {
  let attempts = 0;
  const told: unknown[] = [];
  const attempt = () => (++attempts < 4 ? Promise.reject(refused) : Promise.resolve(attempts));
  const done = tryAgain(attempt, (cause) => told.push(cause));
  expect(await done).toBe(4);
  expect(told).toEqual([refused]);
});

test("after 30 s without a database, the caller is told to come again later", async () => {
  const failed = tryAgain(
    () => Promise.reject(refused),
    () => undefined,
  ).catch((error: unknown) => error);
  vi.advanceTimersByTime(31_000);
  const fault = await failed;
  expect(fault).toBeInstanceOf(Fault);
  expect(fault).toMatchObject({ code: "unavailable", retryAfter: 5, cause: refused });
});

test("a deadlock is tried again, and any other error is not", async () => {
  const errors = [withCode("40P01"), withCode("40P01"), withCode("23505")];
  const failed = tryAgain(
    () => Promise.reject(errors.shift()),
    () => expect.unreachable(),
  ).catch((error: unknown) => error);
  expect(await failed).toMatchObject({ code: "23505" });
});

test.each([
  [new AggregateError([refused, withCode("ENETUNREACH")]), true],
  [new AggregateError([refused, withCode("28P01")]), false],
  [new Error("Connection terminated unexpectedly"), true],
  [new Error("timeout expired"), true],
  [withCode("57P03"), true],
  [withCode("28P01"), false],
  [new Error("relation does not exist"), false],
  ["ECONNREFUSED", false],
])("%s: the database may come back is %s", (error, may) => {
  expect(isUnavailable(error)).toBe(may);
});
