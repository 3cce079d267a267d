/**
 * Transactions. On SQLite their prepared statements are executed at once: Kysely has a queue for the only connection, and
 * takes five promises for each statement, more time than a small statement itself.
 */
import type { Kysely } from "kysely";

export type Write<T, R> = (db: Kysely<T>) => Promise<R>;

/** Runs work in a transaction: all of it takes effect, or nothing when the promise rejects. */
export type Transact<T> = <R>(work: Write<T, R>) => Promise<R>;

interface DirectStatement {
  /** Set when the statement returns rows. */
  readonly reader: boolean;
  all(parameters: readonly unknown[]): unknown[];
  run(parameters: readonly unknown[]): unknown;
}

export interface DirectDatabase {
  readonly inTransaction: boolean;
  prepare(text: string): DirectStatement;
}

const databases = new WeakMap<object, DirectDatabase>();

/** Lets the transactions of `db` use its only connection directly. */
export function setDirect(db: object, database: DirectDatabase): void {
  databases.set(db, database);
}

/** Transactions that are under way, by the object that their work gets. */
const transactions = new WeakMap<object, DirectDatabase>();

/** Returns the rows of a statement; undefined if `tx` is no transaction whose statements are executed at once. */
export function executeAtOnce(tx: object, text: string, parameters: readonly unknown[]): unknown[] | undefined {
  const statement = transactions.get(tx)?.prepare(text);
  if (!statement) return undefined;
  if (statement.reader) return statement.all(parameters);
  statement.run(parameters);
  return [];
}

/** Facts that a transaction has found out and that hold until it ends, by the object that its work gets. */
const knowledge = new WeakMap<object, Set<string>>();

/** Runs the work of one transaction with a memory of its own. Drivers may give several transactions the same object. */
export async function withKnowledge<R>(tx: object, work: () => Promise<R>): Promise<R> {
  knowledge.set(tx, new Set());
  try {
    return await work();
  } finally {
    knowledge.delete(tx);
  }
}

/** Returns what the work of a transaction has found out so far; undefined outside of one. */
export function knownIn(tx: object): Set<string> | undefined {
  return knowledge.get(tx);
}

/** Returns how transactions of `db` are run: directly where that is possible, else by Kysely. */
export function transactOf<T>(db: Kysely<T>): Transact<T> {
  const database = databases.get(db);
  if (!database) return (work) => db.transaction().execute(work);
  // Nobody else gets the connection before the transaction has ended, so nobody reads what is not committed.
  return (work) =>
    db.connection().execute(async (tx) => {
      transactions.set(tx, database);
      database.prepare("begin").run([]);
      try {
        const result = await work(tx);
        database.prepare("commit").run([]);
        return result;
      } finally {
        transactions.delete(tx);
        if (database.inTransaction) database.prepare("rollback").run([]);
      }
    });
}
