import type { EventLog } from "../../engine/ports/ports.ts";
import type { KnownAtEnd, RunEventStore } from "../../engine/ports/runs.ts";
import type { NewEvent } from "../../protocol/stream.ts";
import { isPieceOfMessage } from "../../protocol/stream.ts";
import { hasStoredEvents } from "../../rules/runs/state.ts";
import { reading } from "./reading.ts";
import { align, dropOldest, endedTails, extend, newestOf, newTail, surplusOf, type Tail } from "./tail.ts";
import { threadWatches, type ThreadWatches } from "./watches.ts";

export interface LocalLogOptions {
  executor?: () => string | undefined;
  published?: (runId: string, first: number, events: readonly NewEvent[]) => void;
  changed?: (threadId?: string) => void;
}

/** The event log of one process, which knows without asking what executes in it. */
export interface LocalLog extends EventLog, Pick<ThreadWatches["reading"], "noteThread"> {
  isLive(runId: string): boolean;
  /** Forgets a run if this process has claimed it under this token. Its followers read on elsewhere. */
  release(runId: string, token: number): void;
}

/**
 * The event log of one process. Events of a resumable run are committed before followers see them; events of other runs
 * are stored only when they do not fit into memory. Each append wakes the followers itself. `executor` returns the lease under
 * which this process claims runs; `published` is called with all events that followers get, and `changed` as
 * `threadWatches` says.
 */
export function localLog(
  runs: RunEventStore,
  now: () => number,
  { executor, published = () => undefined, changed }: LocalLogOptions = {},
): LocalLog {
  const tails = new Map<string, Tail>();
  const ended = endedTails(tails);
  const closing = new AbortController();
  const watches = threadWatches(closing.signal, changed);
  const publish = async (runId: string, tail: Tail, events: readonly NewEvent[], first: number): Promise<void> => {
    if (tail.stored) align(tail, first);
    published(runId, newestOf(tail) + 1, events);
    await add(runs, runId, tail, events);
  };

  return {
    ...reading(tails, runs, closing.signal),
    ...keeping(tails, watches),
    ...watches.reading,
    close() {
      closing.abort();
      for (const tail of tails.values()) extend(tail, []);
      watches.close();
    },
    async claim(limit, begin) {
      const claimed = await runs.claim(limit, now(), begin, executor?.());
      for (const run of claimed) {
        const tail = tails.get(run.run_id) ?? newTail(run.last_event, hasStoredEvents(run));
        tails.set(run.run_id, tail);
        tail.token = run.token;
        await publish(run.run_id, tail, [begin(run)], run.last_event);
        watches.begun(run);
      }
      return claimed;
    },
    async append(runId, token, events) {
      const tail = tails.get(runId);
      if (!tail || tail.ended || tail.token !== token) return false;
      tail.firstToken ??= hasPieceOfMessage(events) ? now() : undefined;
      const first = tail.stored ? await runs.append(runId, token, events) : newestOf(tail) + 1;
      if (first === undefined) return false;
      await publish(runId, tail, events, first);
      return true;
    },
    requeue: (...how) => runs.requeue(...how),
    async finish(claim, outcome, events) {
      const tail = tails.get(claim.run_id);
      if (!tail || tail.ended) return undefined;
      const time = now();
      const known = knownAtEnd(tail, events, time);
      const finished = await runs.finish(claim, outcome, tail.stored ? events : [], time, known);
      if (!finished) return undefined;
      tail.ended = true;
      await publish(claim.run_id, tail, events, finished.lastEvent - events.length + 1);
      ended.add(claim.run_id, tail.bytes);
      watches.ended(claim.run_id);
      return finished;
    },
  };
}

function keeping(
  tails: Map<string, Tail>,
  watches: Pick<ThreadWatches, "ended">,
): Pick<LocalLog, "open" | "expectReader" | "drop" | "release"> {
  const drop = (runId: string): void => {
    const tail = tails.get(runId);
    if (!tail) return;
    tails.delete(runId);
    tail.ended = true;
    extend(tail, []);
    watches.ended(runId);
  };
  return {
    open(run, last) {
      tails.set(run.run_id, newTail(last + 1, hasStoredEvents(run)));
    },
    expectReader: () => undefined,
    drop,
    release(runId, token) {
      if (tails.get(runId)?.token === token) drop(runId);
    },
  };
}

function knownAtEnd(tail: Tail, events: readonly NewEvent[], time: number): KnownAtEnd {
  // The tail lacks events that are being stored.
  const eventCount = tail.stored ? undefined : newestOf(tail) + 1 + events.length;
  return { eventCount, firstToken: tail.firstToken ?? (hasPieceOfMessage(events) ? time : undefined) };
}

const hasPieceOfMessage = (events: readonly NewEvent[]): boolean => events.some(isPieceOfMessage);

/** Appends events to the tail, which wakes followers, and moves the oldest ones out when the tail is too large. */
async function add(runs: RunEventStore, runId: string, tail: Tail, events: readonly NewEvent[]): Promise<void> {
  extend(tail, events);
  while (tail.spilling) await tail.spilling;
  const surplus = surplusOf(tail);
  const [oldest] = surplus;
  if (!oldest) return;
  if (!tail.stored) {
    // Events leave memory only after they are stored, so that a reader finds each event in memory or in the database.
    // They leave it before further events are stored, because that would store them a second time.
    const storing = runs.store(runId, tail.token, oldest.id, surplus).then(() => dropOldest(tail, surplus));
    tail.spilling = storing.finally(() => (tail.spilling = undefined));
    await tail.spilling;
  } else dropOldest(tail, surplus);
}
