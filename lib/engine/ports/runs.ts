import type { NewEvent, RunEvent } from "../../protocol/stream.ts";
import type { RunOutcome, StoredRun } from "./ports.ts";

/** What the event log stores: claims, events and ends, which change together. Verbs of the engine use `EventLog`. */
export interface RunEventStore {
  /**
   * Takes up to `limit` pending runs that are due, oldest first, in one statement: no run goes to two claimers. With
   * the claim comes the event that `begin` makes, so the run returned has it as its `last_event`; it is stored if the
   * run's events are.
   */
  claim(limit: number, now: number, begin: (run: StoredRun) => NewEvent): Promise<StoredRun[]>;
  /** Appends under a fencing token. Returns the id of the first event, or undefined when the token is stale. */
  append(runId: string, token: number, events: readonly NewEvent[]): Promise<number | undefined>;
  /** Stores events of a run whose events are otherwise not stored; their ids go on from `first`. */
  store(runId: string, first: number, events: readonly NewEvent[]): Promise<void>;
  /**
   * Appends, ends the run, and gives its thread the state and status that follow, in the same transaction; a run that is
   * marked to vanish is deleted in it, with its checkpoints. It has `told` so many events, stored or not.
   */
  finish(
    runId: string,
    token: number,
    outcome: RunOutcome,
    events: readonly NewEvent[],
    now: number,
    eventCount?: number,
  ): Promise<number | undefined>;
  /** Events with an id above `after`, in order, about `limit` of them; empty at the end of what is stored. */
  read(runId: string, after: number, limit: number): Promise<RunEvent[]>;
}
