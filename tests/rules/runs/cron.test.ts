import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { calendar } from "../../../lib/drivers/calendar.ts";
import { CronCreate } from "../../../lib/protocol/crons.ts";
import { nextRunOf, scheduleProblem } from "../../../lib/rules/runs/cron.ts";

const field = (low: number, high: number) =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant("*") },
    fc.integer({ min: low, max: high }).map(String),
    fc.integer({ min: 1, max: high }).map((step) => `*/${step}`),
    fc
      .tuple(fc.integer({ min: low, max: high }), fc.integer({ min: low, max: high }))
      .map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`),
  );
/** Schedules whose days exist in every month, so that they fire every year. */
const schedule = fc
  .tuple(field(0, 59), field(0, 23), field(1, 28), field(1, 12), field(0, 6))
  .map((fields) => fields.join(" "));
const zone = fc.constantFrom(
  "UTC",
  "Europe/Berlin",
  "America/New_York",
  "America/Sao_Paulo",
  "Asia/Kolkata",
  "Australia/Lord_Howe",
  "Pacific/Apia",
);
const time = fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2035, 0, 1) });
const cron = fc.record({
  schedule,
  timezone: fc.option(zone),
  end_time: fc.option(time.map((ms) => new Date(ms).toISOString())),
  enabled: fc.boolean(),
});

describe("the next time of a cron", () => {
  test("is after the given time, on a full minute and not after the end; a cron that is off has none", () => {
    fc.assert(
      fc.property(cron, time, (one, after) => {
        const next = nextRunOf(one, after, calendar.next);
        if (next === undefined) {
          expect(!one.enabled || one.end_time !== null).toBe(true);
          return;
        }
        expect(one.enabled).toBe(true);
        expect(next).toBeGreaterThan(after);
        expect(next % 60_000).toBe(0);
        if (one.end_time !== null) expect(next).toBeLessThanOrEqual(Date.parse(one.end_time));
      }),
    );
  });

  test("stays the same until it is reached: a later call leaves no time out", () => {
    fc.assert(
      fc.property(schedule, zone, time, fc.double({ min: 0, max: 1, noNaN: true }), (one, timezone, after, part) => {
        const next = calendar.next(one, timezone, after) ?? Number.NaN;
        const between = Math.min(next - 1, Math.floor(after + (next - after) * part));
        expect(calendar.next(one, timezone, between)).toBe(next);
      }),
    );
  });

  test.each([
    // Clocks go from 2:00 to 3:00: a time between them fires right after.
    ["30 2 * * *", "Europe/Berlin", "2026-03-28T12:00:00Z", ["2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z"]],
    // Clocks go from 3:00 to 2:00: a daily cron fires once.
    ["30 2 * * *", "Europe/Berlin", "2026-10-24T12:00:00Z", ["2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"]],
    ["0 * * * *", "Europe/Berlin", "2026-10-25T00:30:00Z", ["2026-10-25T01:00:00Z", "2026-10-25T02:00:00Z"]],
    ["0 9 * * MON-FRI", "America/New_York", "2026-11-20T15:00:00Z", ["2026-11-23T14:00:00Z", "2026-11-24T14:00:00Z"]],
    ["0 0 13 * 5", "UTC", "2026-11-01T00:00:00Z", ["2026-11-06T00:00:00Z", "2026-11-13T00:00:00Z"]],
    ["0 0 29 2 *", "UTC", "2026-11-01T00:00:00Z", ["2028-02-29T00:00:00Z", "2032-02-29T00:00:00Z"]],
    ["0 0 L * *", "UTC", "2026-02-01T00:00:00Z", ["2026-02-28T00:00:00Z", "2026-03-31T00:00:00Z"]],
  ])("of %s in %s after %s", (one, timezone, after, expected) => {
    let at = Date.parse(after);
    for (const wanted of expected) {
      at = calendar.next(one, timezone, at) ?? Number.NaN;
      expect(new Date(at)).toEqual(new Date(wanted));
    }
  });
});

describe("a schedule", () => {
  const problem = (text: string) => scheduleProblem(text) ?? calendar.problem(text);

  test("of five fields in any notation is fine, with spaces around it", () => {
    for (const good of ["* * * * *", " 0 9 * * 1-5 ", "*/15 0,12 1 JAN-JUN SUN", "0 0 * * 7", "0 0 * * 5#2"]) {
      expect(problem(good)).toBeUndefined();
    }
    fc.assert(
      fc.property(schedule, (one) => {
        expect(problem(one)).toBeUndefined();
      }),
    );
  });

  test.each([
    ["* * * *", "expected five fields"],
    ["0 * * * * *", "expected five fields"],
    ["@daily", "expected five fields"],
    ["", "expected five fields"],
    ["? * * * *", '"?" is none'],
    ["60 * * * *", "60"],
    ["* 25 * * *", "25"],
    ["* * * FOO *", "FOO"],
    ["*/0 * * * *", "0"],
    ["5-1 * * * *", "5-1"],
  ])("%j is refused with the reason", (bad, why) => {
    expect(problem(bad)).toContain(why);
  });

  test("of any text is either refused or has times", () => {
    const text = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...Array.from("0123456789*,-/# LWAJ")) }));
    fc.assert(
      fc.property(text, (one) => {
        if (problem(one) === undefined) expect(() => calendar.next(one, "UTC", 0)).not.toThrow();
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("the body of a cron", () => {
  const base = { assistant_id: "agent", schedule: "* * * * *" };

  test("keeps the members of its runs apart, only those that were sent, and an input of null", () => {
    expect(CronCreate.parse({ ...base, input: null, stream_mode: "updates", webhook: null, novelty: 1 })).toEqual({
      ...base,
      payload: { input: null, stream_mode: "updates" },
    });
  });

  test("accepts an end in any form of ISO 8601, and a zone of the IANA database", () => {
    const end = (end_time: unknown) => CronCreate.parse({ ...base, end_time }).end_time;
    expect(end("2026-11-21T10:00:00")).toBe("2026-11-21T10:00:00.000Z");
    expect(end("2026-11-21T10:00:00+02:00")).toBe("2026-11-21T08:00:00.000Z");
    expect(end("2026-11-21T10:00:00.123456Z")).toBe("2026-11-21T10:00:00.123Z");
    expect(end(null)).toBeNull();
    for (const bad of ["tomorrow", "2026-13-01T00:00:00Z", 7]) expect(() => end(bad)).toThrow("end_time");
    for (const timezone of ["Nowhere/Land", "+01:00", "", "a".repeat(200), 7]) {
      expect(CronCreate.safeParse({ ...base, timezone }).error?.issues[0]?.path).toEqual(["timezone"]);
    }
    expect(CronCreate.parse({ ...base, timezone: "Asia/Kolkata" }).timezone).toBe("Asia/Kolkata");
  });
});
