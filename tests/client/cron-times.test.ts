import { expect, test } from "vitest";
import { nextTimes, timeInZone } from "../../lib/client/cron-times.ts";
import { calendar } from "../../lib/drivers/calendar.ts";

const START = Date.parse("2026-03-28T12:00:00Z");

test.each([
  ["30 7 * * 1-5", "Europe/Paris"],
  ["30 2 * * *", "Europe/Berlin"],
  ["0 0 13 * 5", "UTC"],
  ["0 12 L * *", "Asia/Kolkata"],
])("the times of %s in %s are those of the server, also over a clock change", (schedule, timezone) => {
  const expected: number[] = [];
  for (let at = START; expected.length < 3;) {
    at = calendar.next(schedule, timezone, at) ?? Infinity;
    expected.push(at);
  }
  expect(nextTimes(schedule, timezone, START, 3)).toEqual({ times: expected });
});

test.each(["", "* * * *", "61 * * * *", "0 0 * * ?"])("%j is refused with a reason", (schedule) => {
  const next = nextTimes(schedule, "UTC", START, 3);
  expect(next).toHaveProperty("problem");
  expect("problem" in next && next.problem).not.toBe("");
});

test("a time is shown as a clock of the zone shows it", () => {
  expect(timeInZone(START, "Europe/Berlin")).toBe("Sat 28 Mar, 13:00");
  expect(timeInZone(START, "UTC")).toBe("Sat 28 Mar, 12:00");
});
