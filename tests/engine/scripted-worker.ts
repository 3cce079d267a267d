/** A worker whose runs end as and when a test says. It saves a checkpoint of every run, as graphs do. */
import { noWorker } from "../../lib/drivers/workers/no-worker.ts";
import type { Worker } from "../../lib/engine/ports/ports.ts";
import type { RunEnding } from "../../lib/engine/ports/run-end.ts";
import type { CheckpointStore } from "../../lib/engine/ports/threads.ts";
import type { RunOrder } from "../../lib/protocol/worker.ts";
import type { ThreadEnd } from "../../lib/protocol/threads.ts";
import type { Loss } from "../../lib/rules/runs/state.ts";

export type HowItEnds = "success" | "waits" | "error" | Loss;

interface Execution {
  run: string;
  /** Its checkpoint and its events were stored or refused. */
  settled: boolean;
  cancelled: boolean;
  end(how: HowItEnds | "interrupted"): void;
}

export interface ScriptedWorker extends Worker {
  /** Returns the runs that execute on a thread. */
  on(thread: string): Execution | undefined;
  /** Ids of a thread's runs in the order in which they began; one that began again occurs again. */
  begun(thread: string): readonly string[];
  forget(thread: string): void;
  /** Set when two runs of one thread executed at once. */
  readonly overlaps: readonly string[];
}

/** The values that a run leaves in its thread. */
export const valuesOf = (run: string): string => JSON.stringify({ by: run });

export function scriptedWorker(checkpoints: () => CheckpointStore): ScriptedWorker {
  const byThread = new Map<string, Execution>();
  const byRun = new Map<string, Execution>();
  const begun = new Map<string, string[]>();
  const overlaps: string[] = [];
  let made = 0;

  const save = async ({ run, token }: RunOrder, thread: string): Promise<void> => {
    const version = String(++made).padStart(9, "0");
    const checkpoint = JSON.stringify({ v: 4, channel_versions: { by: version }, versions_seen: {} });
    const place = { thread, ns: "", id: version, checkpoint, metadata: JSON.stringify({ run_id: run }) };
    const value = { type: "json", data: JSON.stringify(run) };
    await checkpoints().put({ run, token }, place, [{ channel: "by", version, value }]);
  };

  return {
    ...noWorker("not needed"),
    state: () => ({ status: "ready", pid: 0, since: "", startedInMs: 0, langgraph: "" }),
    overlaps,
    on: (thread) => byThread.get(thread),
    begun: (thread) => begun.get(thread) ?? [],
    forget: (thread) => void begun.delete(thread),
    run(order, sink) {
      const thread = String(order.config.configurable?.thread_id);
      const { promise, resolve } = Promise.withResolvers<RunEnding>();
      const execution: Execution = {
        run: order.run,
        settled: false,
        cancelled: false,
        end(how) {
          if (byRun.get(order.run) !== execution) return;
          byRun.delete(order.run);
          if (byThread.get(thread) === execution) byThread.delete(thread);
          resolve(endingOf(order.run, how, execution.cancelled));
        },
      };
      const other = byThread.get(thread);
      // All messages of one turn of the loop reach a worker at once, so the other run may still be cancelled in this
      // turn.
      if (other)
        setImmediate(() => {
          if (byRun.has(other.run) && !other.cancelled)
            overlaps.push(`on ${thread} ${order.run} was begun while ${other.run} went on`);
        });
      byThread.set(thread, execution);
      byRun.set(order.run, execution);
      begun.set(thread, [...(begun.get(thread) ?? []), order.run]);
      const events = [{ event: "values", data: valuesOf(order.run) }];
      void Promise.allSettled([save(order, thread), sink(events)]).then(() => (execution.settled = true));
      return promise;
    },
    stop() {
      for (const execution of byRun.values()) execution.end("interrupted");
      return Promise.resolve();
    },
    cancel(run) {
      const execution = byRun.get(run);
      if (!execution) return false;
      execution.cancelled = true;
      // The end comes later: a worker is a process, and its messages still count until then.
      setImmediate(() => execution.end("interrupted"));
      return true;
    },
  };
}

function endingOf(run: string, how: HowItEnds | "interrupted", cancelled: boolean): RunEnding {
  const error = { error: "RangeError", message: "kaput" };
  const thread = (next: string[] = []): ThreadEnd => ({ values: valuesOf(run), next, interrupts: {} });
  switch (how) {
    case "success":
    case "interrupted":
      return { status: how, events: [], thread: thread() };
    case "waits":
      return { status: "success", events: [], thread: thread(["ask"]) };
    case "error":
      return { status: "error", error, events: [], thread: thread() };
    case "crashed":
    case "stopped":
      return cancelled ? { status: "interrupted", events: [] } : { status: "error", error, events: [], lost: how };
  }
}
