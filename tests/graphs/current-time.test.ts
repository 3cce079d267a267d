import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { currentTime, describeTime } from "../../graphs/tools/current-time.ts";
import { CurrentTimeResult } from "../../graphs/tools/contract.ts";
import { findZone } from "../../graphs/tools/places.ts";

const seconds = fc.date({ min: new Date("1975-01-01"), max: new Date("2090-01-01"), noInvalidDate: true });

describe("laws", () => {
  test("the ISO text is the same moment in every zone", () => {
    const zone = fc.constantFrom(...Intl.supportedValuesOf("timeZone"));
    fc.assert(
      fc.property(seconds, zone, (now, place) => {
        const whole = new Date(Math.floor(now.getTime() / 1000) * 1000);
        expect(new Date(describeTime(whole, place).iso)).toEqual(whole);
      }),
      { numRuns: 500 },
    );
  });

  test("any text is a valid zone or undefined", () => {
    fc.assert(
      fc.property(fc.string(), (place) => {
        const zone = findZone(place);
        if (zone) expect(() => new Intl.DateTimeFormat("en", { timeZone: zone })).not.toThrow();
      }),
    );
  });
});

describe("the time", () => {
  const now = new Date("2026-07-14T22:05:09Z");

  test.each([
    ["Tokyo", "Asia/Tokyo", "Wednesday, 15 July 2026", "07:05", "UTC+09:00"],
    ["new york", "America/New_York", "Tuesday, 14 July 2026", "18:05", "UTC-04:00"],
    ["Mumbai", "Asia/Kolkata", "Wednesday, 15 July 2026", "03:35", "UTC+05:30"],
    ["germany", "Europe/Berlin", "Wednesday, 15 July 2026", "00:05", "UTC+02:00"],
    ["UTC", "UTC", "Tuesday, 14 July 2026", "22:05", "UTC+00:00"],
    ["europe/paris", "Europe/Paris", "Wednesday, 15 July 2026", "00:05", "UTC+02:00"],
  ])("in %s", (place, zone, date, time, offset) => {
    expect(describeTime(now, place)).toMatchObject({ place, zone, date, time, offset });
  });

  test("the offset changes between winter and summer", () => {
    expect(describeTime(new Date("2026-01-14T12:00:00Z"), "Berlin").offset).toBe("UTC+01:00");
  });

  test("an unknown place is refused with an example", () => {
    expect(() => describeTime(now, "Atlantis")).toThrow(/"Atlantis".*Europe\/Berlin/u);
  });

  test("without a place the result is the current time in the zone of the process", async () => {
    const before = Date.now();
    const result = CurrentTimeResult.parse(await currentTime.invoke({}));
    expect(Math.abs(new Date(result.iso).getTime() - before)).toBeLessThan(5000);
    expect(result.zone).toBe(new Intl.DateTimeFormat().resolvedOptions().timeZone);
  });
});
