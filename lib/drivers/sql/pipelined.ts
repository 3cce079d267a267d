import { Kysely, type KyselyPlugin, PostgresDialect, type PostgresPool, type PostgresPoolClient } from "kysely";
import { newIds } from "../new-id.ts";
import type { CommitRecords } from "./commit-records.ts";
import type { Transact, Write } from "./transaction.ts";
import { isDeadlock, tryAgain } from "./try-again.ts";

export interface PipelinedOptions {
  pool: PostgresPool;
  plugins: KyselyPlugin[];
  commits: CommitRecords;
  /** Is called once for each transaction that has to wait for the database. */
  onUnavailable: (cause: unknown) => void;
}

/**
 * Runs transactions that send each statement without waiting for the results of earlier ones, unless the work awaits
 * them. Kysely's own transactions send one statement at a time. Only one transaction may run at once, as in
 * `groupCommit`.
 *
 * A transaction whose connection breaks is retried for a while. If it broke during the commit, the next connection first asks
 * whether that took effect. One that the database has ended because of a deadlock with another server is retried too.
 */
export function pipelined<T>({ pool, plugins, commits, onUnavailable }: PipelinedOptions): Transact<T> {
  const newId = newIds();
  let held: PostgresPoolClient | undefined;
  const connect = (): Promise<PostgresPoolClient> =>
    held ? Promise.resolve(held) : Promise.reject(new Error("A statement was sent after its transaction had ended"));
  const db = new Kysely<T>({
    dialect: new PostgresDialect({ pool: { options: pool.options, connect, end: () => Promise.resolve() } }),
    plugins,
  });

  /** Does work in a transaction of this id, up to its commit. Rolls it back when the work fails. */
  const untilCommit = async <R>(client: PostgresPoolClient, id: string, work: Write<T, R>): Promise<Settled<R>> => {
    let deadlock: Error | undefined;
    // Kysely acquires and releases a connection for each statement; this one belongs to the transaction.
    held = {
      query: onFailure(client.query, (error) => (deadlock ??= isDeadlock(error) ? error : undefined)),
      release: () => undefined,
    };
    try {
      const [begun, worked] = await Promise.allSettled([commits.begin(client, id), work(db)]);
      const failed = [begun, worked].find((one) => one.status === "rejected");
      if (!failed) return worked;
      await client.query("rollback", []);
      // The statements after it have failed as well, and the work reports any of them.
      return deadlock ? { status: "rejected", reason: deadlock } : failed;
    } finally {
      held = undefined;
    }
  };

  return async <R>(work: Write<T, R>): Promise<R> => {
    /** The transaction whose commit was sent, until its outcome is known. */
    let sent: { id: string; value: R } | undefined;
    const transact = async (client: PostgresPoolClient): Promise<Settled<R>> => {
      if (sent && !(await commits.isCommitted(client, sent.id))) sent = undefined;
      if (!sent) {
        const id = newId();
        const worked = await untilCommit(client, id, work);
        if (worked.status === "rejected") return worked;
        sent = { id, value: worked.value };
        const { command } = await client.query("commit", []);
        if (command !== "COMMIT") {
          sent = undefined;
          throw new Error("The database rolled a transaction back instead of committing it");
        }
      }
      commits.committed(sent.id);
      return { status: "fulfilled", value: sent.value };
    };
    return await tryAgain(() => onConnection(pool, transact), onUnavailable).catch((cause: unknown) => {
      if (!sent) throw cause;
      throw new Error("The connection to the database broke during a commit: its outcome is unknown", { cause });
    });
  };
}

/** How work has ended on a connection that is as good as before. */
type Settled<R> = PromiseSettledResult<R>;

/** Does work on a connection, which is closed if the work throws. */
async function onConnection<R>(
  pool: PostgresPool,
  work: (client: PostgresPoolClient) => Promise<Settled<R>>,
): Promise<R> {
  const client = await pool.connect();
  let healthy = false;
  try {
    const settled = await work(client);
    healthy = true;
    if (settled.status === "rejected") throw settled.reason;
    return settled.value;
  } finally {
    client.release(!healthy);
  }
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
