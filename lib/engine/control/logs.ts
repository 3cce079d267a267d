import type { LogLine } from "../../protocol/revisions.ts";
import type { StoredRevision } from "../ports/builds.ts";
import type { ControlPlane } from "../ports/control.ts";

type RevisionKey = Pick<StoredRevision, "deployment_id" | "number">;

/** Returns the name of a revision's build log. */
export function buildLogName({ deployment_id, number }: RevisionKey): string {
  return `${deployment_id}/build/${number}`;
}

/** Returns the name of the log that a deployment's code prints to. */
export function serverLogName({ deployment_id }: Pick<RevisionKey, "deployment_id">): string {
  return `${deployment_id}/server`;
}

/** Returns the lines of a log after the given one, or the newest ones. */
export function readLog(
  { lines }: Pick<ControlPlane, "lines">,
  log: string,
  { after, limit }: { after?: number; limit: number },
): Promise<LogLine[]> {
  return after === undefined ? lines.tail(log, limit) : lines.read(log, after, limit);
}

/** Returns the id before the newest `count` lines of a log. */
export async function tailStart({ lines }: Pick<ControlPlane, "lines">, log: string, count: number): Promise<number> {
  return ((await lines.tail(log, count))[0]?.id ?? 0) - 1;
}

const PAGE = 500;

/** Tells when a log is complete. */
export interface LogEnd {
  isOver(): Promise<boolean>;
  /** Calls back whenever `isOver` may have changed. Returns a function that stops it. */
  onChange(listener: () => void): () => void;
}

const ENDLESS: LogEnd = { isOver: () => Promise.resolve(false), onChange: () => () => undefined };

/**
 * Yields the lines of a log after the given one, in order, as they are written. Ends when `end` is over and all lines
 * were read, or on abort.
 */
export async function* followLog(
  { lines }: Pick<ControlPlane, "lines">,
  log: string,
  after: number,
  signal: AbortSignal,
  end: LogEnd = ENDLESS,
): AsyncGenerator<LogLine[], void, undefined> {
  let newest = after;
  while (!signal.aborted) {
    // The listener is added before the check, because a build may end without another line.
    const changed = new AbortController();
    const unsubscribe = end.onChange(() => changed.abort());
    try {
      const over = await end.isOver();
      if (over) await lines.flush();
      const page = await lines.read(log, newest, PAGE);
      newest = page.at(-1)?.id ?? newest;
      if (page.length > 0) yield page;
      else if (over) return;
      else await lines.changed(log, newest, AbortSignal.any([signal, changed.signal]));
    } finally {
      unsubscribe();
    }
  }
}
