import { Kysely, type KyselyPlugin, PostgresDialect, type PostgresPool, type PostgresPoolClient } from "kysely";
import type { Transact, Write } from "./transaction.ts";
import { isDeadlock, tryAgain } from "./try-again.ts";

/**
 * Runs transactions that send each statement without waiting for the results of earlier ones, unless the work awaits
 * them. Kysely's own transactions send one statement at a time. Only one transaction may run at once, as in
 * `groupCommit`.
 *
 * A transaction whose connection breaks before its commit is retried for a while, because the database has rolled it
 * back. `onUnavailable` is called once for each transaction that has to wait. One that the database has ended because of a
 * deadlock with another server is retried too.
 */
export function pipelined<T>(
  pool: PostgresPool,
  plugins: KyselyPlugin[],
  onUnavailable: (cause: unknown) => void,
): Transact<T> {
  let held: PostgresPoolClient | undefined;
  const connect = (): Promise<PostgresPoolClient> =>
    held ? Promise.resolve(held) : Promise.reject(new Error("A statement was sent after its transaction had ended"));
  const db = new Kysely<T>({
    dialect: new PostgresDialect({ pool: { options: pool.options, connect, end: () => Promise.resolve() } }),
    plugins,
  });

  const attempt = async <R>(work: Write<T, R>): Promise<R> => {
    const client = await pool.connect();
    let deadlock: Error | undefined;
    // Kysely acquires and releases a connection for each statement; this one belongs to the transaction.
    held = {
      query: onFailure(client.query, (error) => (deadlock ??= isDeadlock(error) ? error : undefined)),
      release: () => undefined,
    };
    let healthy = false;
    try {
      const [begun, worked] = await Promise.allSettled([client.query("begin", []), work(db)]);
      const failed = [begun, worked].find((one) => one.status === "rejected");
      if (failed) await client.query("rollback", []);
      else await commit(client);
      healthy = true;
      // The statements after it have failed as well, and the work reports any of them.
      if (deadlock) throw deadlock;
      if (failed || worked.status === "rejected") throw failed?.reason;
      return worked.value;
    } finally {
      held = undefined;
      client.release(!healthy);
    }
  };

  return (work) => tryAgain(() => attempt(work), onUnavailable);
}

/** Calls back with each error of a query function. It leaves cursors, which nobody asks for, out. */
function onFailure(
  query: PostgresPoolClient["query"],
  callBack: (error: unknown) => void,
): PostgresPoolClient["query"] {
  const watched = async (text: string, values: readonly unknown[]): Promise<unknown> => {
    try {
      return await query(text, values);
    } catch (error) {
      callBack(error);
      throw error;
    }
  };
  return watched as PostgresPoolClient["query"];
}

async function commit(client: PostgresPoolClient): Promise<void> {
  const { command } = await client.query("commit", []).catch((cause: unknown) => {
    throw new Error("The connection to the database broke during a commit: its outcome is unknown", { cause });
  });
  if (command !== "COMMIT") throw new Error("The database rolled a transaction back instead of committing it");
}
