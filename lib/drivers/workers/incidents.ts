import type { Incident } from "../../protocol/deployments.ts";

const MOST = 50;
/** That a log takes no more is told no more often than this. */
const FLOOD_MS = 600_000;
const FLOOD = { error: "LogFlood", message: "It prints more than its log takes: lines are left out" };

/** What went wrong lately, oldest first. */
export function createIncidents(now: () => number): {
  readonly all: readonly Incident[];
  add(incident: Omit<Incident, "at">): void;
  /** Lines of the log were left out; false when that was told lately. */
  noteFlood(): boolean;
} {
  const all: Incident[] = [];
  let flooded = -Infinity;
  const add = (incident: Omit<Incident, "at">): void => {
    all.push({ at: new Date(now()).toISOString(), ...incident });
    if (all.length > MOST) all.shift();
  };
  return {
    all,
    add,
    noteFlood() {
      if (now() - flooded < FLOOD_MS) return false;
      flooded = now();
      add({ source: "worker", error: FLOOD });
      return true;
    },
  };
}
