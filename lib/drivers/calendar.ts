import { Cron } from "croner";
import type { Calendar } from "../engine/ports/crons.ts";

/** Schedules as Vixie's cron reads them: a day fits by the day of the month or of the week when both are named. */
export const calendar: Calendar = {
  problem(schedule) {
    try {
      patternOf(schedule, "UTC");
      return undefined;
    } catch (error) {
      return (error instanceof Error ? error.message : String(error)).replace(/^CronPattern: /, "");
    }
  },
  next: (schedule, timezone, after) => patternOf(schedule, timezone).nextRun(new Date(after))?.getTime(),
};

/** Without a function to call it sets no timer. */
function patternOf(schedule: string, timezone: string): Cron {
  return new Cron(schedule.trim(), { timezone, mode: "5-part", paused: true });
}
