import type { RevisionState } from "../../protocol/revisions.ts";
import { hasFailed, isUnderway } from "./phases.ts";

/** The newest revision of a deployment, as the stream of states reports it. */
interface Reported {
  readonly name: string;
  readonly newest: { readonly number: number; readonly state: RevisionState } | null;
}

export interface RevisionOutcome {
  readonly deployment: string;
  readonly number: number;
  readonly outcome: "live" | "failed";
}

/** Returns the builds that were under way before and have ended since, unless somebody stopped them. */
export function revisionOutcomes(before: readonly Reported[], after: readonly Reported[]): RevisionOutcome[] {
  const known = new Map(before.map(({ name, newest }) => [name, newest]));
  return after.flatMap(({ name, newest }): RevisionOutcome[] => {
    const old = known.get(name);
    if (!newest || !old || old.number > newest.number) return [];
    // A newer revision than the known one was not over either when the known one was reported.
    if (old.number === newest.number && !isUnderway(old.state)) return [];
    if (newest.state === "live") return [{ deployment: name, number: newest.number, outcome: "live" }];
    return hasFailed(newest.state) ? [{ deployment: name, number: newest.number, outcome: "failed" }] : [];
  });
}
