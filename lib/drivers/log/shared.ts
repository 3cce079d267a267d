import type { EventLog } from "../../engine/ports/ports.ts";
import type { RunEventStore } from "../../engine/ports/runs.ts";
import { type LocalLog, localLog } from "./local.ts";
import { pollActivity, pollPositions } from "./polling.ts";

export interface SharedLogOptions {
  now: () => number;
  /** Returns the lease under which this server claims runs. */
  executor: () => string | undefined;
  /** The pause between two looks at what other servers have stored, in ms. */
  pollMs: number;
}

/**
 * The event log of a server that shares its database. All events are stored. Those of a run that executes here are in memory
 * too, as in the log of one process; followers of other runs read the database, and look from time to time whether there is more.
 */
export function sharedLog(runs: RunEventStore, { now, executor, pollMs }: SharedLogOptions): EventLog {
  const local = localLog(runs, now, executor);
  const closing = new AbortController();
  const elsewhere = pollPositions(runs, pollMs);
  const activity = pollActivity(runs, pollMs);
  const isHere = (runId: string): boolean => local.newest(runId) !== undefined;

  return {
    ...local,
    ...writing(runs, { local, now, changed: elsewhere.wake }),
    isLive(runId) {
      if (isHere(runId)) return local.isLive(runId);
      return runs.positions([runId]).then(([run]) => run?.hasEnded === false);
    },
    async changed(runId, after, signal) {
      if (isHere(runId)) return await local.changed(runId, after, signal);
      closing.signal.throwIfAborted();
      await elsewhere.changed(runId, after, signal);
      closing.signal.throwIfAborted();
    },
    watch(threadId) {
      const watch = local.watch(threadId);
      return {
        ...watch,
        async begun(signal) {
          const soon = AbortSignal.timeout(pollMs);
          await watch.begun(signal ? AbortSignal.any([signal, soon]) : soon);
        },
      };
    },
    onThreadChange(listener) {
      const forget = [local.onThreadChange(listener), activity.onChange(listener)];
      return () => forget.forEach((one) => one());
    },
    close() {
      closing.abort();
      local.close();
      elsewhere.close();
      activity.close();
    },
  };
}

interface WritingParts {
  local: LocalLog;
  now: () => number;
  /** Wakes the followers of a run that does not execute here. */
  changed: (runId: string) => void;
}

/** Implements the writing side. What this server no longer executes leaves its memory: the followers read on in the database. */
function writing(
  runs: RunEventStore,
  { local, now, changed }: WritingParts,
): Pick<EventLog, "open" | "drop" | "claim" | "append" | "finish" | "requeue"> {
  return {
    // A run that waits is in the database, and any server may claim it.
    open: () => undefined,
    drop(runId) {
      local.drop(runId);
      changed(runId);
    },
    async claim(limit, begin) {
      const claimed = await local.claim(limit, begin);
      for (const { run_id } of claimed) changed(run_id);
      return claimed;
    },
    async append(runId, token, events) {
      const isOurs = await local.append(runId, token, events);
      if (!isOurs) local.release(runId, token);
      return isOurs;
    },
    async finish(claim, ...how) {
      if (local.isLive(claim.run_id)) {
        const finished = await local.finish(claim, ...how);
        if (!finished) local.release(claim.run_id, claim.token);
        return finished;
      }
      const finished = await runs.finish(claim, ...how, now());
      if (!finished) return undefined;
      changed(claim.run_id);
      local.notifyThreads();
      return finished;
    },
    async requeue(claim, loss) {
      const requeued = await runs.requeue(claim, loss);
      if (requeued) local.release(claim.run_id, claim.token);
      return requeued;
    },
  };
}
