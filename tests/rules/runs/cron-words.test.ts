import { Cron } from "croner";
import fc from "fast-check";
import { expect, test } from "vitest";
import { cronWords } from "../../../lib/rules/runs/cron-words.ts";

const START = new Date("2026-01-01T00:00:00Z");
const COUNT = 40;

const timesOf = (schedule: string): string[] =>
  new Cron(schedule, { timezone: "UTC", mode: "5-part", paused: true })
    .nextRuns(COUNT, START)
    .map((time) => time.toISOString());

const number = (least: number, most: number) => fc.integer({ min: least, max: most }).map(String);
const range = (least: number, most: number) =>
  fc
    .tuple(fc.integer({ min: least, max: most - 1 }), fc.nat())
    .map(([from, more]) => `${from}-${from + 1 + (more % (most - from))}`);
const field = (least: number, most: number, ...others: string[]) =>
  fc.oneof(
    fc.constant("*"),
    number(least, most),
    range(least, most),
    fc.tuple(range(least, most), fc.integer({ min: 2, max: 6 })).map(([all, step]) => `${all}/${step}`),
    fc.uniqueArray(number(least, most), { minLength: 2, maxLength: 3 }).map((list) => list.join(",")),
    ...(others.length > 0 ? [fc.constantFrom(...others)] : []),
  );
const schedule = fc
  .tuple(
    field(0, 59, "*/5", "*/15"),
    field(0, 23, "*/2", "*/6"),
    field(1, 28, "L"),
    field(1, 12, "JAN", "dec"),
    field(0, 6, "MON", "sun", "7", "1#2", "FRI#1"),
  )
  .map((fields) => fields.join(" "));

test("schedules with the same words fire at the same times", () => {
  const known = new Map<string, string>();
  fc.assert(
    fc.property(schedule, (one) => {
      const words = cronWords(one);
      expect(words).toBeTypeOf("string");
      const before = known.get(words ?? "");
      if (before === undefined) known.set(words ?? "", one);
      else expect([one, timesOf(one)]).toEqual([one, timesOf(before)]);
    }),
    { numRuns: 300 },
  );
});

test("any text has words or none, without an exception", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(["string", "undefined"]).toContain(typeof cronWords(text));
    }),
  );
});

test.each([
  ["30 7 * * 1-5", "At 07:30, Monday to Friday"],
  ["0 9,17 * * *", "At 09:00 and 17:00"],
  ["*/15 9-17 * * *", "Every 15 minutes, in the hours 9 to 17"],
  ["* * * * *", "Every minute"],
  ["5 * * * *", "At minute 5, every hour"],
  ["0 */6 * * *", "At minute 0, every 6 hours"],
  ["0 0 1 * *", "At 00:00, on day 1 of the month"],
  ["0 0 L * *", "At 00:00, on the last day of the month"],
  ["0 0 1 1 *", "At 00:00, on day 1 of the month, in January"],
  ["0 8 13 * FRI", "At 08:00, on day 13 of the month or on Friday"],
  ["0 8 * * 1#2", "At 08:00, the second Monday of the month"],
  ["0 8 * * 7", "At 08:00, Sunday"],
])("%s: %s", (text, words) => {
  expect(cronWords(text)).toBe(words);
});

test.each([
  "",
  "* * * *",
  "* * * * * *",
  "60 * * * *",
  "0 24 * * *",
  "0 0 32 * *",
  "0 0 * 13 *",
  "0 0 * * 8",
  "a b c d e",
])("%j has no words", (text) => {
  expect(cronWords(text)).toBeUndefined();
});
