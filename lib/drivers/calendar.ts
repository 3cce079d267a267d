import { Cron } from "croner";
import type { Calendar } from "../engine/ports/crons.ts";
import { errorMessage } from "../rules/text/error-message.ts";

/** Reads schedules like Vixie cron: if both day of month and day of week are given, a day must match one of them. */
export const calendar: Calendar = {
  problem(schedule) {
    try {
      patternOf(schedule, "UTC");
      return undefined;
    } catch (error) {
      return errorMessage(error).replace(/^CronPattern: /, "");
    }
  },
  next: (schedule, timezone, after) => patternOf(schedule, timezone).nextRun(new Date(after))?.getTime(),
};

/** Creates a `Cron` without a function to call, which sets no timer. */
function patternOf(schedule: string, timezone: string): Cron {
  return new Cron(schedule.trim(), { timezone, mode: "5-part", paused: true });
}
