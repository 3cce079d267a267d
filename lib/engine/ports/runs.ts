import type { NewEvent, RunEvent } from "../../protocol/stream.ts";
import type { Loss } from "../../rules/runs/state.ts";
import type { Claim, ClaimedRun, StoredRun } from "./ports.ts";
import type { FinishedRun, RunOutcome } from "./run-end.ts";

/** Facts about a run that only its log knows when it ends. */
export interface KnownAtEnd {
  /** The number of all its events. Left out for a run whose events are all stored, because the store counts them. */
  eventCount?: number | undefined;
  /** Time of the first event with a piece of a message, in ms since the epoch. */
  firstToken?: number | undefined;
}

/** How far a run is. */
export interface RunPosition extends Pick<StoredRun, "run_id" | "last_event"> {
  hasEnded: boolean;
}

/**
 * The store of the event log: claims, events and ends, which change together. The engine itself uses `EventLog`.
 * Implemented in lib/drivers/sql/runs.ts.
 */
export interface RunEventStore {
  /**
   * Claims up to `limit` pending runs that are due, oldest first. No run goes to two claimers, and no two runs of a thread are
   * executed at once, also when several servers claim. The claim appends the event that `begin` returns, which is the
   * `last_event` of the returned run; it is stored if the run's events are. `executor` is the lease of the claimer.
   */
  claim(limit: number, now: number, begin: (run: StoredRun) => NewEvent, executor?: string): Promise<ClaimedRun[]>;
  /** Appends under a fencing token. Returns the id of the first event, or undefined when the claim is lost. */
  append(runId: string, token: number, events: readonly NewEvent[]): Promise<number | undefined>;
  /** Stores events of a run whose events are otherwise not stored. Their ids start at `first`. Nothing if the claim is lost. */
  store(runId: string, token: number, first: number, events: readonly NewEvent[]): Promise<void>;
  /**
   * Appends events, ends the run, and sets the resulting state and status of its thread, in one transaction. A run that
   * is to be deleted goes with its checkpoints. Faults: `conflict` with the reason `unstored` when the outcome reports a
   * change that is not stored.
   */
  finish(
    claim: Claim,
    outcome: RunOutcome,
    events: readonly NewEvent[],
    now: number,
    known?: KnownAtEnd,
  ): Promise<FinishedRun | undefined>;
  /** Makes a run pending again. False when the claim is lost already, or a request has cancelled the run. */
  requeue(claim: Claim, loss: Loss): Promise<boolean>;
  /** Returns how far these runs are. One that is deleted is left out. */
  positions(runIds: readonly string[]): Promise<RunPosition[]>;
  /** Returns a text that is another one when runs have begun or ended. */
  activity(): Promise<string>;
  /** Returns about `limit` events with an id above `after`, in order; none at the end of the stored events. */
  read(runId: string, after: number, limit: number): Promise<RunEvent[]>;
}
