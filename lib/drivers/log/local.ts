import type { EventLog, RunStore } from "../../engine/ports.ts";
import type { NewEvent } from "../../protocol/stream.ts";
import { endedTails, extend, newerThan, newTail, type Tail } from "./tail.ts";

const READ_LIMIT = 256;

/**
 * The event log of one process: what is appended is committed first, then shown, then announced. Followers are woken
 * by the append itself.
 */
export function localLog(runs: RunStore, now: () => number): EventLog {
  const tails = new Map<string, Tail>();
  const ended = endedTails(tails);

  const tailOf = (runId: string, from: number): Tail => {
    const tail = tails.get(runId) ?? newTail(from);
    tails.set(runId, tail);
    return tail;
  };

  const publish = (runId: string, first: number, events: readonly NewEvent[], isLast: boolean): void => {
    const tail = tailOf(runId, first);
    tail.ended ||= isLast;
    extend(tail, first, events);
    if (isLast) ended.add(runId, tail.bytes);
  };

  return {
    open: (runId, last) => void tailOf(runId, last + 1),
    drop: (runId) => void tails.delete(runId),
    async claim(limit, begin) {
      const claimed = await runs.claim(limit, now(), begin);
      for (const run of claimed) publish(run.run_id, run.last_event, [begin(run)], false);
      return claimed;
    },
    async append(runId, token, events) {
      const first = await runs.append(runId, token, events);
      if (first === undefined) return false;
      publish(runId, first, events, false);
      return true;
    },
    async finish(runId, token, outcome, events) {
      const first = await runs.finish(runId, token, outcome, events, now());
      if (first === undefined) return false;
      publish(runId, first, events, true);
      return true;
    },
    async read(runId, after) {
      return newerThan(tails.get(runId), after) ?? (await runs.read(runId, after, READ_LIMIT));
    },
    isLive(runId) {
      const tail = tails.get(runId);
      return tail !== undefined && !tail.ended;
    },
    changed: (runId, after, signal) =>
      new Promise<void>((resolve) => {
        const tail = tails.get(runId);
        if (!tail || tail.ended || (tail.events.at(-1)?.id ?? -1) > after || signal?.aborted) {
          resolve();
          return;
        }
        const wake = (): void => {
          tail.waiting.delete(wake);
          signal?.removeEventListener("abort", wake);
          resolve();
        };
        tail.waiting.add(wake);
        signal?.addEventListener("abort", wake);
      }),
  };
}
