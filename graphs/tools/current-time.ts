import { tool } from "@langchain/core/tools";
import { CurrentTimeInput, type CurrentTimeResult } from "./contract.ts";
import { findZone, isZone } from "./places.ts";

function zoneOf(place: string): string {
  const zone = findZone(place) ?? (isZone(place) ? place : undefined);
  if (zone) return zone;
  throw new Error(
    `There is no time zone known for "${place}". Name a large city, a country with one zone, or a zone such as Europe/Berlin.`,
  );
}

/** Returns the local date and time of `now` in `place`; without a place, in the zone of this process. */
export function describeTime(now: Date, place?: string): CurrentTimeResult {
  const timeZone = place ? zoneOf(place) : new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const parts = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    weekday: "long",
    year: "numeric",
    month: "long",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    timeZoneName: "longOffset",
  }).formatToParts(now);
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((p) => p.type === type)?.value ?? "";
  const offset = part("timeZoneName").replace("GMT", "") || "+00:00";
  const day = new Intl.DateTimeFormat("sv-SE", { timeZone }).format(now);
  const time = `${part("hour")}:${part("minute")}`;
  return {
    ...(place ? { place } : {}),
    zone: timeZone,
    date: `${part("weekday")}, ${part("day")} ${part("month")} ${part("year")}`,
    time,
    offset: `UTC${offset}`,
    iso: `${day}T${time}:${part("second")}${offset}`,
  };
}

export const currentTime = tool(({ place }) => describeTime(new Date(), place), {
  name: "current_time",
  description: "Tells the date and the time of day now, in a city, a country or an IANA time zone.",
  schema: CurrentTimeInput,
});
