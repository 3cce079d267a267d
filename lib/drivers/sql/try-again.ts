/** Tries again what a database did not do because it was away, or ended because of a deadlock. */
import { setTimeout as sleep } from "node:timers/promises";
import { Fault } from "../../protocol/faults.ts";

/** The time that work waits for a database that restarts, with the longest and the first pause between attempts. */
const UNAVAILABLE_MS = 30_000;
const PAUSE_MS = 1_000;
const FIRST_MS = 50;

/** When a request that has waited in vain may be sent again, in s. */
const RETRY_AFTER_S = 5;

/** The fault of all that has waited for a database in vain. */
export class DatabaseAway extends Fault {
  constructor(cause: unknown) {
    super("unavailable", "The database does not answer: try again later", { retryAfter: RETRY_AFTER_S, cause });
  }
}

/**
 * Repeats work that changed nothing when it fails for such a reason. `onUnavailable` is called once if it has to wait. Throws
 * `DatabaseAway` when the database has not come back in time.
 */
export async function tryAgain<R>(
  attempt: () => Promise<R>,
  onUnavailable: (cause: unknown) => void = () => undefined,
): Promise<R> {
  const until = performance.now() + UNAVAILABLE_MS;
  let pause = FIRST_MS;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      const isOver = performance.now() > until;
      if (isDeadlock(error) && !isOver) {
        // The other server takes the rows meanwhile. Without a pause, this one might be faster once more.
        await sleep(FIRST_MS);
        continue;
      }
      if (!isUnavailable(error)) throw error;
      if (isOver) throw new DatabaseAway(error);
      if (pause === FIRST_MS) onUnavailable(error);
    }
    await sleep(pause);
    pause = Math.min(PAUSE_MS, 2 * pause);
  }
}

/**
 * SQLSTATEs of a server that stops, starts, is full or has ended a transaction that stood still, errors of sockets and names, and
 * messages of `pg` about broken clients.
 */
const UNAVAILABLE_CODES =
  /^(08...|57P0[1-3]|53300|25P03|ECONN\w+|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;
const UNAVAILABLE_MESSAGES = /^(Connection terminated|timeout (exceeded|expired)|Client .* not queryable)/;

/** Returns whether a database or the network to it is away, and may come back by itself. */
export function isUnavailable(error: unknown): boolean {
  // A host name with several addresses fails with an error for each.
  if (error instanceof AggregateError) return error.errors.every(isUnavailable);
  if (!(error instanceof Error)) return false;
  return UNAVAILABLE_CODES.test(codeOf(error) ?? "") || UNAVAILABLE_MESSAGES.test(error.message);
}

export function isDeadlock(error: unknown): error is Error {
  return codeOf(error) === "40P01";
}

/** Returns the code of an error of a database (SQLSTATE) or of the system. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
