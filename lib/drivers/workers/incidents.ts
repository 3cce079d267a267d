import type { Incident } from "../../protocol/deployments.ts";
import { isoTime } from "../../protocol/iso-time.ts";

const MOST = 50;
/** The shortest time between two incidents about left out lines. */
const FLOOD_MS = 600_000;
const FLOOD = { error: "LogFlood", message: "It prints more than its log accepts: lines are left out" };

/** Keeps the latest incidents, oldest first. `changed` is called for those that come without a change of state. */
export function createIncidents(
  now: () => number,
  changed: () => void,
): {
  readonly all: readonly Incident[];
  add(incident: Omit<Incident, "at">): void;
  /** Notes that lines of the log were left out. Adds at most one incident in `FLOOD_MS`. */
  noteFlood(): void;
} {
  const all: Incident[] = [];
  let flooded = -Infinity;
  const add = (incident: Omit<Incident, "at">): void => {
    all.push({ at: isoTime(now()), ...incident });
    if (all.length > MOST) all.shift();
  };
  return {
    all,
    add,
    noteFlood() {
      if (now() - flooded < FLOOD_MS) return;
      flooded = now();
      add({ source: "worker", error: FLOOD });
      changed();
    },
  };
}
