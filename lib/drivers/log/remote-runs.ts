/** Follows runs that other servers execute: their events arrive by the bus, and whatever is missed is in the database. */
import type { Bus, BusListener } from "../../engine/ports/bus.ts";
import type { RunEventStore, RunPosition } from "../../engine/ports/runs.ts";
import { END, type RunEvent } from "../../protocol/stream.ts";
import { parseRunMessage } from "./run-messages.ts";
import { countReaders } from "./readers.ts";
import { dropOldest, extend, newerThan, newestOf, newTail, surplusOf, type Tail } from "./tail.ts";

/** A run with a reader here. */
interface Remote {
  readonly listener: BusListener;
  /** The newest events that have arrived, without a gap; undefined until some have, and after some were missed. */
  tail: Tail | undefined;
  state: "unknown" | "live" | "over";
}

export interface RemoteRuns {
  /**
   * Listens to a run that is about to be stored, and then read here. None of its events is missed, so the reader need not ask the
   * database. Resolves when the run may be stored.
   */
  expectReader(runId: string): Promise<void>;
  /** Ends what `expectReader` began, because the run was not stored. */
  drop(runId: string): void;
  /** Listens to a run until the returned function is called. */
  hold(runId: string): () => void;
  isLive(runId: string): Promise<boolean>;
  /** Returns the events above `after` if they have arrived; undefined if the database has to be asked. */
  read(runId: string, after: number): RunEvent[] | undefined;
  /** Returns whether an event above `after` has arrived, or the run is known to be over. */
  hasNews(runId: string, after: number): boolean;
  /** Makes the next reader ask the database. */
  forget(runId: string): void;
  /** Does the same for all runs, because messages may have been lost. */
  forgetAll(): void;
  /** Takes note of what the database says of a run. */
  found(runId: string, run: RunPosition | undefined): void;
}

/** `wake` is called when there may be news of a run. */
export function remoteRuns(
  runs: Pick<RunEventStore, "positions">,
  { bus, topicOf, wake }: { bus: Bus; topicOf: (runId: string) => string; wake: (runId: string) => void },
): RemoteRuns {
  const remotes = new Map<string, Remote>();
  const readers = countReaders((runId) => {
    remotes.get(runId)?.listener.stop();
    remotes.delete(runId);
  });

  const forget = (runId: string): void => forgetEvents(remotes.get(runId));
  const receive = (runId: string, text: string): void => {
    const remote = remotes.get(runId);
    // A run that the database says is over is read there. Its last messages are still on their way, one after another.
    if (!remote || remote.state === "over") return;
    take(remote, text);
    wake(runId);
  };
  const open = (runId: string): Remote | undefined => {
    const known = remotes.get(runId);
    if (known || !readers.has(runId)) return known;
    const listener = bus.listen(topicOf(runId), (text) => receive(runId, text));
    const remote: Remote = { listener, tail: undefined, state: "unknown" };
    remotes.set(runId, remote);
    return remote;
  };
  const found: RemoteRuns["found"] = (runId, run) => {
    const remote = remotes.get(runId);
    // The end may have arrived since the database was asked.
    if (!remote || remote.state === "over") return;
    remote.state = run && !run.hasEnded ? "live" : "over";
    if (remote.tail && newestOf(remote.tail) < (run?.last_event ?? -1)) remote.tail = undefined;
  };

  return {
    found,
    forget,
    forgetAll: () => remotes.forEach(forgetEvents),
    async expectReader(runId) {
      readers.expect(runId);
      const remote = open(runId);
      if (remote && (await isHeardSoon(remote.listener)) && bus.isConnected()) beginUnread(remote);
    },
    drop: readers.unexpect,
    hold: readers.hold,
    async isLive(runId) {
      const remote = open(runId);
      // The caller reads after this, and so finds what was stored before this server listened.
      await remote?.listener.ready;
      if (remote && remote.state !== "unknown") return remote.state === "live";
      const [run] = await runs.positions([runId]);
      found(runId, run);
      return run?.hasEnded === false;
    },
    read: (runId, after) => newerThan(remotes.get(runId)?.tail, after),
    hasNews(runId, after) {
      const remote = remotes.get(runId);
      return (
        remote !== undefined && (remote.state === "over" || (remote.tail && newestOf(remote.tail) > after) === true)
      );
    },
  };
}

/** A bus that does not answer delays a run for no longer, in ms: its reader then asks the database. */
const SOON_MS = 200;

async function isHeardSoon({ ready }: BusListener): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), SOON_MS);
  const isHeard = await Promise.race([ready.then(() => true), late]);
  clearTimeout(timer);
  return isHeard;
}

/** Nothing of a run that is not stored yet can have been missed. */
function beginUnread(remote: Remote): void {
  if (remote.state !== "unknown") return;
  remote.state = "live";
  remote.tail = newTail(0, true);
}

function forgetEvents(remote: Remote | undefined): void {
  if (!remote) return;
  remote.tail = undefined;
  remote.state = "unknown";
}

function take(remote: Remote, text: string): void {
  const message = parseRunMessage(text);
  if ("look" in message) forgetEvents(remote);
  else if ("count" in message) remote.tail = newTail(message.first + message.count, true);
  else add(remote, message.first, message.events);
}

/** Adds events that have arrived. Those that are known are ignored, and after a gap only the new ones are kept. */
function add(remote: Remote, first: number, events: readonly RunEvent[]): void {
  const last = events.at(-1);
  if (!last) return;
  const newest = remote.tail && newestOf(remote.tail);
  if (newest !== undefined && last.id <= newest) return;
  if (remote.tail === undefined || first !== (newest ?? -1) + 1) remote.tail = newTail(first, true);
  extend(remote.tail, events);
  const surplus = surplusOf(remote.tail);
  if (surplus.length > 0) dropOldest(remote.tail, surplus);
  if (last.event === END) remote.state = "over";
}
