/** Computes when a cron fires, as the server does (lib/drivers/calendar.ts). */
import { Cron } from "croner";
import { errorMessage } from "../rules/text/error-message.ts";
import { scheduleProblem } from "../rules/runs/cron.ts";

/** Returns the next times of a schedule after `from` (ms since the epoch), or what is wrong with it. */
export function nextTimes(
  schedule: string,
  timezone: string,
  from: number,
  count: number,
): { times: readonly number[] } | { problem: string } {
  const problem = scheduleProblem(schedule);
  if (problem !== undefined) return { problem };
  try {
    const cron = new Cron(schedule.trim(), { timezone, mode: "5-part", paused: true });
    return { times: cron.nextRuns(count, new Date(from)).map((time) => time.getTime()) };
  } catch (error) {
    return { problem: errorMessage(error).replace(/^CronPattern: /, "") };
  }
}

/** Returns why a schedule never fires: what is wrong with it, or that its day never comes, as the 30th of February. */
export function scheduleFault(schedule: string, timezone: string): string | undefined {
  const next = nextTimes(schedule, timezone, 0, 1);
  if ("problem" in next) return next.problem;
  return next.times.length === 0 ? "It never fires: no month that it names has such a day." : undefined;
}

/** Returns a time as a clock in the zone shows it, such as `Tue 24 Nov, 07:30`. */
export function timeInZone(time: number, timeZone: string | undefined): string {
  return new Intl.DateTimeFormat("en-GB", {
    timeZone,
    weekday: "short",
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
  }).format(time);
}

export const localZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;
