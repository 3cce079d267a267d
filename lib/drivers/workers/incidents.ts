import type { Incident } from "../../protocol/deployments.ts";

const MOST = 50;

/** What went wrong lately, oldest first. */
export function createIncidents(now: () => number): {
  readonly all: readonly Incident[];
  add(incident: Omit<Incident, "at">): void;
} {
  const all: Incident[] = [];
  return {
    all,
    add(incident) {
      all.push({ at: new Date(now()).toISOString(), ...incident });
      if (all.length > MOST) all.shift();
    },
  };
}
