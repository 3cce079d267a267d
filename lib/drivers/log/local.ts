import type { EventLog } from "../../engine/ports/ports.ts";
import type { RunEventStore } from "../../engine/ports/runs.ts";
import type { NewEvent } from "../../protocol/stream.ts";
import { hasStoredEvents } from "../../rules/runs/state.ts";
import { reading } from "./reading.ts";
import { dropOldest, endedTails, extend, newestOf, newTail, surplusOf, type Tail } from "./tail.ts";
import { threadWatches } from "./watches.ts";

/**
 * The event log of one process. What a run that can be taken up again tells is committed first, then shown, then
 * announced; of the other runs only what does not fit into memory is written. Followers are woken by the append itself.
 */
export function localLog(runs: RunEventStore, now: () => number): EventLog {
  const tails = new Map<string, Tail>();
  const ended = endedTails(tails);
  const closing = new AbortController();
  const watches = threadWatches(closing.signal);

  return {
    ...reading(tails, runs, closing.signal),
    watch: watches.open,
    onThreads: watches.onThreads,
    tellThreads: watches.tellThreads,
    close() {
      closing.abort();
      for (const tail of tails.values()) extend(tail, []);
      watches.close();
    },
    open(run, last) {
      tails.set(run.run_id, newTail(last + 1, hasStoredEvents(run)));
    },
    drop(runId) {
      const tail = tails.get(runId);
      if (!tail) return;
      tails.delete(runId);
      tail.ended = true;
      extend(tail, []);
      watches.ended(runId);
    },
    async claim(limit, begin) {
      const claimed = await runs.claim(limit, now(), begin);
      for (const run of claimed) {
        const tail = tails.get(run.run_id) ?? newTail(run.last_event, hasStoredEvents(run));
        tails.set(run.run_id, tail);
        tail.token = run.token;
        await publish(runs, run.run_id, tail, [begin(run)]);
        if (run.threaded) watches.begun(run);
      }
      return claimed;
    },
    async append(runId, token, events) {
      const tail = tails.get(runId);
      if (!tail || tail.ended || tail.token !== token) return false;
      if (tail.stored && (await runs.append(runId, token, events)) === undefined) return false;
      await publish(runs, runId, tail, events);
      return true;
    },
    async finish(runId, token, outcome, events) {
      const tail = tails.get(runId);
      if (!tail || tail.ended) return false;
      const stored = tail.stored ? events : [];
      const told = newestOf(tail) + 1 + events.length;
      if ((await runs.finish(runId, token, outcome, stored, now(), told)) === undefined) return false;
      tail.ended = true;
      await publish(runs, runId, tail, events);
      ended.add(runId, tail.bytes);
      watches.ended(runId);
      return true;
    },
  };
}

/** Shows events to those who follow, and makes room for them. */
async function publish(runs: RunEventStore, runId: string, tail: Tail, events: readonly NewEvent[]): Promise<void> {
  extend(tail, events);
  while (tail.spilling) await tail.spilling;
  const surplus = surplusOf(tail);
  const [oldest] = surplus;
  if (!oldest) return;
  if (!tail.stored) {
    // Taken out only when it is stored: a reader finds every event in one of the two places.
    tail.spilling = runs.store(runId, oldest.id, surplus).finally(() => (tail.spilling = undefined));
    await tail.spilling;
  }
  dropOldest(tail, surplus);
}
