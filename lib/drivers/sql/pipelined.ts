import { setTimeout as sleep } from "node:timers/promises";
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from "kysely";
import type { Transact, Write } from "./group-commit.ts";

/** How long a write waits for a database that restarts, and the longest and the first pause between two tries. */
const AWAY_MS = 30_000;
const PAUSE_MS = 1_000;
const FIRST_MS = 50;

/**
 * Transactions in which statements do not wait for the answers to those before, as long as nobody awaits these. Kysely's
 * own send one statement at a time. One at a time, as `groupCommit` asks for them.
 *
 * A transaction whose connection breaks before its commit is tried again for a while: the database forgot all of it.
 * `onAway` is called once for each that has to wait.
 */
export function pipelined<T>(pool: PostgresPool, onAway: (cause: unknown) => void): Transact<T> {
  let held: PostgresPoolClient | undefined;
  const connect = (): Promise<PostgresPoolClient> =>
    held ? Promise.resolve(held) : Promise.reject(new Error("A statement came after its transaction"));
  const db = new Kysely<T>({
    dialect: new PostgresDialect({ pool: { options: pool.options, connect, end: () => Promise.resolve() } }),
  });

  const attempt = async <R>(work: Write<T, R>): Promise<R> => {
    const client = await pool.connect();
    // Kysely takes and gives back the connection for each statement; here it is the transaction's.
    held = { query: client.query, release: () => undefined };
    let healthy = false;
    try {
      const [begun, worked] = await Promise.allSettled([client.query("begin", []), work(db)]);
      const failed = [begun, worked].find((one) => one.status === "rejected");
      if (failed) await client.query("rollback", []);
      else await commit(client);
      healthy = true;
      if (failed || worked.status === "rejected") throw failed?.reason;
      return worked.value;
    } finally {
      held = undefined;
      client.release(!healthy);
    }
  };

  return async (work) => {
    const until = performance.now() + AWAY_MS;
    for (let pause = FIRST_MS; ; pause = Math.min(PAUSE_MS, 2 * pause)) {
      try {
        return await attempt(work);
      } catch (error) {
        if (!isAway(error) || performance.now() > until) throw error;
        if (pause === FIRST_MS) onAway(error);
      }
      await sleep(pause);
    }
  };
}

async function commit(client: PostgresPoolClient): Promise<void> {
  const { command } = await client.query("commit", []).catch((cause: unknown) => {
    throw new Error("The database went away in the middle of a commit: whether it was made is unknown", { cause });
  });
  if (command !== "COMMIT") throw new Error("The database took back a transaction instead of committing it");
}

/** SQLSTATEs of a server that shuts down, starts or is full, errors of sockets, and what `pg` says of broken clients. */
const AWAY_CODES =
  /^(08...|57P0[1-3]|53300|ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND)$/;
const AWAY_MESSAGES = /^(Connection terminated|timeout exceeded when trying to connect|Client .* not queryable)/;

function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ("code" in error && typeof error.code === "string" && AWAY_CODES.test(error.code)) return true;
  return AWAY_MESSAGES.test(error.message);
}
