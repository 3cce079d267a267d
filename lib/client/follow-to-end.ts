import type { RunClient } from "../protocol/runs.ts";
import { followRun, type FollowEnd, joinRun, type RunListener, type RunRequest } from "./follow-run.ts";

/** The run to follow: a new one that is started, or an existing one. */
export type RunToFollow = RunToStart | { readonly run: string };

interface RunToStart {
  readonly request: RunRequest;
  readonly client: RunClient;
  /** Finds the run that the request has started, if its response was lost. May throw. */
  readonly find?: () => Promise<string | undefined>;
}

export interface ReconnectingListener extends RunListener {
  /** Called with the run's id as soon as it is known. */
  readonly onRun: (run: string) => void;
  /** Called without a value when the connection is open, and with one when it is lost. */
  readonly onConnection: (interruption?: Interruption) => void;
}

/** A pause before the next connection. */
export interface Interruption {
  /** `restarting`: something answered, but the server behind it is not ready. */
  readonly why: "unreachable" | "restarting";
  /** The time of the next try, in ms since the epoch. */
  readonly next: number;
  readonly tryNow: () => void;
}

const FIRST_PAUSE_MS = 250;
const LAST_PAUSE_MS = 4000;

/**
 * Follows a run to its end, over as many connections as it takes. Each one continues after the newest event of the one
 * before, so that no event is lost or passed on twice. The result is `lost` only if no run is known to have started. A
 * request that starts a run is not taken back on its way: the signal aborts it once the server has accepted it.
 */
export async function followToEnd(
  base: string,
  thread: string | undefined,
  begin: RunToFollow,
  { signal, onEvent, onRun, onConnection }: ReconnectingListener,
): Promise<FollowEnd> {
  let run = "run" in begin ? begin.run : undefined;
  let seen = -1;
  let failures = 0;
  const accepted = new AbortController();
  const abort = (): void => accepted.abort();
  const listener: RunListener = {
    signal: accepted.signal,
    onOpen: (id) => {
      if (id !== undefined) run = id;
      if (run !== undefined) onRun(run);
      onConnection();
      signal.addEventListener("abort", abort);
      if (signal.aborted) abort();
    },
    onEvent: (event) => {
      failures = 0;
      seen = Math.max(seen, event.id);
      onEvent(event);
    },
  };
  const takeBreak = async (end: FollowEnd): Promise<void> => {
    const ms = Math.min(LAST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures++);
    const early = new AbortController();
    const why = end.how === "refused" ? "restarting" : "unreachable";
    onConnection({ why, next: Date.now() + ms, tryNow: () => early.abort() });
    await pause(ms, AbortSignal.any([signal, early.signal]));
  };
  let end: FollowEnd | undefined;
  if ("request" in begin) {
    end = await followRun(base, begin.request, listener, thread, begin.client);
    const isLost = isTemporary(end);
    if (run === undefined && begin.find && (isLost || isTaken(end))) {
      if (isLost) await takeBreak(end);
      run = await begin.find().catch(() => undefined);
      if (run !== undefined) end = undefined;
    }
  }
  while (run !== undefined && (end === undefined || isTemporary(end))) {
    if (end) await takeBreak(end);
    end = await joinRun(base, { thread, run }, seen, { ...listener, signal });
  }
  return end ?? { how: "ended" };
}

/**
 * Returns whether the thread was taken by another run, or its interrupt answered. A browser sends a request again when a
 * connection that it has used before breaks, so that may be the run of this request.
 */
function isTaken(end: FollowEnd): boolean {
  return end.how === "refused" && [409, 422].includes(end.status);
}

/** Returns whether the end may be temporary: a broken connection, or a server that is not ready. */
function isTemporary(end: FollowEnd): boolean {
  return end.how === "lost" || (end.how === "refused" && isRestarting(end.status));
}

/** Returns whether this status says that the server is there soon: it, or a proxy before it, answers in its place. */
export function isRestarting(status: number): boolean {
  return [502, 503, 504].includes(status);
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done);
    if (signal.aborted) done();
  });
}
