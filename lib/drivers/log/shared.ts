import type { Bus } from "../../engine/ports/bus.ts";
import type { EventLog } from "../../engine/ports/ports.ts";
import type { RunEventStore } from "../../engine/ports/runs.ts";
import { type LocalLog, localLog } from "./local.ts";
import { pollActivity, pollPositions } from "./polling.ts";
import { type RemoteRuns, remoteRuns } from "./remote-runs.ts";
import { listenWhileNeeded } from "./listen-while-needed.ts";
import { eventsMessage, lookMessage } from "./run-messages.ts";

/** The pause between two looks while the bus brings what is new: it may have lost something with a server, in ms. */
const SAFETY_MS = 5_000;

export interface SharedLogOptions {
  now: () => number;
  /** Returns the lease under which this server claims runs. */
  executor: () => string | undefined;
  bus: Bus;
  /** The topics of the log on the bus begin with it. */
  topic: string;
  /** The pause between two looks at what other servers have stored, while there is no bus, in ms. */
  pollMs: number;
}

/**
 * The event log of a server that shares its database. All events are stored. Those of a run that executes here are in memory
 * too, as in the log of one process. Followers of other runs get theirs by the bus; without it, they look in the database from time
 * to time.
 */
export function sharedLog(runs: RunEventStore, { now, executor, bus, topic, pollMs }: SharedLogOptions): EventLog {
  const self = crypto.randomUUID();
  const topicOf = (runId: string): string => `${topic}:run:${runId}`;
  const threads = `${topic}:threads`;
  const pause = (): number => (bus.isConnected() ? SAFETY_MS : pollMs);
  const local = localLog(runs, now, {
    executor,
    published: (runId, first, events) => bus.publish(topicOf(runId), eventsMessage(first, events)),
    changed: (threadId = "") => bus.publish(threads, `${self} ${threadId}`),
  });
  const closing = new AbortController();
  const elsewhere = pollPositions(runs, pause, (runId, run) => remote.found(runId, run));
  const remote = remoteRuns(runs, { bus, topicOf, wake: elsewhere.wake });
  const activity = pollActivity(runs, pause);
  const forgetConnection = bus.onConnected(() => {
    remote.forgetAll();
    elsewhere.look();
  });
  const noteThread = (message: string): void => {
    const [sender, threadId] = message.split(" ");
    if (sender !== self) local.noteThread(threadId || undefined);
  };
  // A server where nobody wants to know of threads is not woken for the runs of others.
  const heard = listenWhileNeeded(() => bus.listen(threads, noteThread));
  const changed = (runId: string): void => {
    bus.publish(topicOf(runId), lookMessage());
    remote.forget(runId);
    elsewhere.wake(runId);
  };

  return {
    ...local,
    ...writing(runs, { local, remote, now, changed, wake: elsewhere.wake }),
    ...following(runs, { local, remote, changed: elsewhere.changed, closing: closing.signal }),
    watch(threadId) {
      const watch = local.watch(threadId);
      const stop = heard.need(() => local.noteThread(threadId));
      return {
        close() {
          stop();
          watch.close();
        },
        async begun(signal) {
          const soon = AbortSignal.timeout(pause());
          await watch.begun(signal ? AbortSignal.any([signal, soon]) : soon);
        },
      };
    },
    onThreadChange(listener) {
      const forget = [local.onThreadChange(listener), activity.onChange(listener), heard.need(listener)];
      return () => forget.forEach((one) => one());
    },
    close() {
      closing.abort();
      forgetConnection();
      heard.close();
      local.close();
      elsewhere.close();
      activity.close();
    },
  };
}

interface FollowingParts {
  local: LocalLog;
  remote: RemoteRuns;
  changed: (runId: string, after: number, signal?: AbortSignal) => Promise<void>;
  closing: AbortSignal;
}

/** Implements the reading side: a run is followed in this process while it executes here, and by the bus otherwise. */
function following(
  runs: RunEventStore,
  { local, remote, changed, closing }: FollowingParts,
): Pick<EventLog, "hold" | "isLive" | "read" | "changed"> {
  const isHere = (runId: string): boolean => local.newest(runId) !== undefined;
  return {
    hold(runId) {
      const release = [local.hold(runId), remote.hold(runId)];
      return () => release.forEach((one) => one());
    },
    isLive: (runId) => (isHere(runId) ? local.isLive(runId) : remote.isLive(runId)),
    async read(runId, after) {
      return (isHere(runId) ? undefined : remote.read(runId, after)) ?? (await local.read(runId, after));
    },
    async changed(runId, after, signal) {
      if (isHere(runId)) return await local.changed(runId, after, signal);
      closing.throwIfAborted();
      if (remote.hasNews(runId, after)) return;
      await changed(runId, after, signal);
      closing.throwIfAborted();
    },
  };
}

interface WritingParts {
  local: LocalLog;
  remote: RemoteRuns;
  now: () => number;
  /** Tells the followers of a run on all servers that the database has something new. */
  changed: (runId: string) => void;
  /** Wakes the followers here. */
  wake: (runId: string) => void;
}

/** Implements the writing side. What this server no longer executes leaves its memory: the followers read on elsewhere. */
function writing(
  runs: RunEventStore,
  { local, remote, now, changed, wake }: WritingParts,
): Pick<EventLog, "open" | "expectReader" | "drop" | "claim" | "append" | "finish" | "requeue"> {
  return {
    // A run that waits is in the database, and any server may claim it.
    open: () => undefined,
    expectReader: remote.expectReader,
    drop(runId) {
      local.drop(runId);
      remote.drop(runId);
      changed(runId);
    },
    async claim(limit, begin) {
      const claimed = await local.claim(limit, begin);
      for (const { run_id } of claimed) wake(run_id);
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
