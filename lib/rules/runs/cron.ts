import type { Cron } from "../../protocol/crons.ts";

/** Returns the first time after `after` that a schedule names in a time zone; both in ms since the epoch. */
export type NextTime = (schedule: string, timezone: string, after: number) => number | undefined;

type Timing = Pick<Cron, "schedule" | "timezone" | "end_time" | "enabled">;

/** Returns when a cron fires next after `after` (ms since the epoch); undefined when it is off or ends before that. */
export function nextRunOf({ schedule, timezone, end_time, enabled }: Timing, after: number, next: NextTime) {
  if (!enabled) return undefined;
  const time = next(schedule, timezone ?? "UTC", after);
  if (time === undefined || (end_time !== null && time > Date.parse(end_time))) return undefined;
  return time;
}

/** A field may have numbers, names, `*`, lists, ranges, steps, `L` for the last and `#` for the nth of a month. */
const FIELD = /^[\da-z*,\-/#]+$/i;

/** Returns what is wrong with the form of a schedule. The calendar checks the values of its fields. */
export function scheduleProblem(schedule: string): string | undefined {
  const fields = schedule.trim().split(/\s+/);
  const expected = "expected five fields: minute, hour, day of month, month, day of week";
  if (fields.length !== 5 || fields[0] === "") return expected;
  const strange = fields.find((field) => !FIELD.test(field));
  return strange === undefined ? undefined : `${expected}; "${strange}" is none`;
}
