import type { Incident } from "../../protocol/deployments.ts";
import { isoTime } from "../../protocol/iso-time.ts";

const MOST = 50;
/** That a log takes no more is told no more often than this. */
const FLOOD_MS = 600_000;
const FLOOD = { error: "LogFlood", message: "It prints more than its log takes: lines are left out" };

/** What went wrong lately, oldest first. `changed` is called for what comes without a change of the worker's state. */
export function createIncidents(
  now: () => number,
  changed: () => void,
): {
  readonly all: readonly Incident[];
  add(incident: Omit<Incident, "at">): void;
  /** Lines of the log were left out: one for some time of that. */
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
