import { followRun, type FollowEnd, joinRun, type RunListener, type RunRequest } from "./follow-run.ts";

/** The run to follow: a new one that is started, or an existing one. */
export type RunToFollow = { readonly request: RunRequest } | { readonly run: string };

export interface ReconnectingListener extends RunListener {
  /** Called with the run's id as soon as it is known. */
  readonly onRun: (run: string) => void;
  /** Called when the connection is open, and when it is lost. */
  readonly onConnection: (connected: boolean) => void;
}

const FIRST_PAUSE_MS = 250;
const LAST_PAUSE_MS = 4000;

/**
 * Follows a run on a thread to its end, over as many connections as it takes. Each one continues after the newest event
 * of the one before, so that no event is lost or passed on twice. The result is `lost` only if no run was started.
 */
export async function followToEnd(
  base: string,
  thread: string,
  begin: RunToFollow,
  { signal, onEvent, onRun, onConnection }: ReconnectingListener,
): Promise<FollowEnd> {
  let run = "run" in begin ? begin.run : undefined;
  let seen = -1;
  let failures = 0;
  const listener: RunListener = {
    signal,
    onOpen: (id) => {
      if (id !== undefined) run = id;
      if (run !== undefined) onRun(run);
      onConnection(true);
    },
    onEvent: (event) => {
      failures = 0;
      seen = Math.max(seen, event.id);
      onEvent(event);
    },
  };
  let end = "request" in begin ? await followRun(base, begin.request, listener, thread) : undefined;
  while (run !== undefined && (end === undefined || isTemporary(end))) {
    if (end) {
      onConnection(false);
      await pause(Math.min(LAST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures++), signal);
    }
    end = await joinRun(base, { thread, run }, seen, listener);
  }
  return end ?? { how: "ended" };
}

/** Returns whether the end may be temporary: a broken connection, or a proxy that cannot reach the server. */
function isTemporary(end: FollowEnd): boolean {
  return end.how === "lost" || (end.how === "refused" && [502, 503, 504].includes(end.status));
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
