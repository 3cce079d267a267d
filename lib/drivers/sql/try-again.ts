/** Tries again what a database did not do because it was away, or ended because of a deadlock. */
import { setTimeout as sleep } from "node:timers/promises";

/** The time that work waits for a database that restarts, with the longest and the first pause between attempts. */
const UNAVAILABLE_MS = 30_000;
const PAUSE_MS = 1_000;
const FIRST_MS = 50;

/** Repeats work that changed nothing when it fails for such a reason. `onUnavailable` is called once if it has to wait. */
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
      if (performance.now() > until || !(isDeadlock(error) || isUnavailable(error))) throw error;
      if (isDeadlock(error)) {
        // The other server takes the rows meanwhile. Without a pause, this one might be faster once more.
        await sleep(FIRST_MS);
        continue;
      }
      if (pause === FIRST_MS) onUnavailable(error);
    }
    await sleep(pause);
    pause = Math.min(PAUSE_MS, 2 * pause);
  }
}

/**
 * SQLSTATEs of a server that stops, starts, is full or has ended a transaction that stood still, socket errors, and messages of `pg`
 * about broken clients.
 */
const UNAVAILABLE_CODES =
  /^(08...|57P0[1-3]|53300|25P03|ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND)$/;
const UNAVAILABLE_MESSAGES = /^(Connection terminated|timeout exceeded when trying to connect|Client .* not queryable)/;

export function isDeadlock(error: unknown): error is Error {
  return error instanceof Error && "code" in error && error.code === "40P01";
}

function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ("code" in error && typeof error.code === "string" && UNAVAILABLE_CODES.test(error.code)) return true;
  return UNAVAILABLE_MESSAGES.test(error.message);
}
