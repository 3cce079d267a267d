import { expect, test } from "vitest";
import { nextTimes, scheduleFault, timeInZone } from "../../lib/client/cron-times.ts";
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

test("a schedule has a fault exactly if it is refused or never fires", () => {
  for (const rare of ["0 0 29 2 *", "0 0 31 1-2 *", "0 0 30 2 1"]) expect(scheduleFault(rare, "UTC")).toBeUndefined();
  for (const never of ["0 0 30 2 *", "0 0 31 4,6 *"])
    expect(scheduleFault(never, "UTC")).toBe("It never fires: no month that it names has such a day.");
  expect(scheduleFault("* * * *", "UTC")).toContain("expected five fields");
});

test("a time is shown as a clock of the zone shows it", () => {
  expect(timeInZone(START, "Europe/Berlin")).toBe("Sat 28 Mar, 13:00");
  expect(timeInZone(START, "UTC")).toBe("Sat 28 Mar, 12:00");
});
