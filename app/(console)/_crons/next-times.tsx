"use client";

import { useState } from "react";
import { localZone, nextTimes, timeInZone } from "#lib/client/cron-times.ts";

const COUNT = 3;

/** Lists the next times of a schedule, in local time and in the zone of the cron. */
export default function NextTimes({ schedule, timezone }: { schedule: string; timezone: string }) {
  const [now] = useState(() => Date.now());
  const next = nextTimes(schedule, timezone, now, COUNT);
  if ("problem" in next) return <p className="text-bad">{next.problem}</p>;
  if (next.times.length === 0) return <p className="text-ink-2">It never fires.</p>;
  const local = localZone();
  const isSame = local === timezone;
  return (
    <table className="w-full max-w-140 text-left">
      <thead className="text-small text-ink-3">
        <tr>
          <th scope="col" className="pr-4 pb-1 font-normal">
            Your time
          </th>
          {isSame ? null : (
            <th scope="col" className="pb-1 font-normal">
              {timezone}
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {next.times.map((time) => (
          <tr key={time}>
            <td className="pr-4">
              <time dateTime={new Date(time).toISOString()}>{timeInZone(time, undefined)}</time>
            </td>
            {isSame ? null : <td className="text-ink-2">{timeInZone(time, timezone)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
