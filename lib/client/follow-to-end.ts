import { followRun, type FollowEnd, joinRun, type RunListener, type RunRequest } from "./follow-run.ts";

/** What is followed: a run that is to be started, or one that there is. */
export type RunToFollow = { readonly request: RunRequest } | { readonly run: string };

export interface ReconnectingListener extends RunListener {
  /** The run's id, as soon as it is known. */
  readonly onRun: (run: string) => void;
  /** Whether the events come, or the connection is being looked for. */
  readonly onLink: (connected: boolean) => void;
}

const FIRST_PAUSE_MS = 250;
const LAST_PAUSE_MS = 4000;

/**
 * Follows a run on a thread to its end, over as many connections as it takes: each goes on after the newest event that
 * the one before it brought, so that none is lost or told twice. `lost` is only what was never started.
 */
export async function followToEnd(
  base: string,
  thread: string,
  begin: RunToFollow,
  { signal, onEvent, onRun, onLink }: ReconnectingListener,
): Promise<FollowEnd> {
  let run = "run" in begin ? begin.run : undefined;
  let seen = -1;
  let failures = 0;
  const listening: RunListener = {
    signal,
    onOpen: (id) => {
      if (id !== undefined) run = id;
      if (run !== undefined) onRun(run);
      onLink(true);
    },
    onEvent: (event) => {
      failures = 0;
      seen = Math.max(seen, event.id);
      onEvent(event);
    },
  };
  let end = "request" in begin ? await followRun(base, begin.request, listening, thread) : undefined;
  while (run !== undefined && (end === undefined || isPassing(end))) {
    if (end) {
      onLink(false);
      await pause(Math.min(LAST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures++), signal);
    }
    end = await joinRun(base, { thread, run }, seen, listening);
  }
  return end ?? { how: "ended" };
}

/** A server that is away, or that a proxy says is away. */
function isPassing(end: FollowEnd): boolean {
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
