import type { Kysely } from "kysely";

/**
 * Runs a write; it is on disk when the promise resolves. Writes happen one after the other, each as if it were alone,
 * in the order in which they were asked for.
 *
 * A write that is `apart` depends on no other of this moment: each of its statements is right by itself, whatever else
 * happens between them, and only its first is in order. Many of those go to a database beyond a wire in one breath.
 */
export type Commit<T> = <R>(write: Write<T, R>, how?: "apart") => Promise<R>;

export type Write<T, R> = (db: Kysely<T>) => Promise<R>;

/** Runs work in a transaction: all of it happens, or, when the promise rejects, nothing. */
export type Transact<T> = <R>(work: Write<T, R>) => Promise<R>;

interface Waiting<T> {
  write: Write<T, unknown>;
  apart: boolean;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

/**
 * Commits the writes of one turn of the event loop together, in order: at load many runs share the price of one
 * transaction. A write that fails takes no other with it.
 */
export function groupCommit<T>(
  database: Kysely<T>,
  transact: Transact<T> = (work) => database.transaction().execute(work),
): Commit<T> {
  let waiting: Waiting<T>[] = [];
  let draining = false;

  const drain = async (): Promise<void> => {
    while (waiting.length > 0) {
      const group = waiting;
      waiting = [];
      await commitGroup(transact, group);
    }
    draining = false;
  };

  return <R>(write: Write<T, R>, how?: "apart") =>
    new Promise<R>((resolve, reject) => {
      // `resolve` gets what `write` returned, so its type is R whatever the queue calls it.
      waiting.push({ write, apart: how === "apart", resolve: resolve as (value: unknown) => void, reject });
      if (draining) return;
      draining = true;
      setImmediate(() => void drain());
    });
}

async function commitGroup<T>(transact: Transact<T>, group: readonly Waiting<T>[]): Promise<void> {
  let results: unknown[] = [];
  let written = false;
  try {
    await transact(async (db) => {
      written = false;
      results = await writeAll(db, group);
      written = true;
    });
  } catch (error) {
    // When the commit itself fails nobody knows what became of it: a second try might do everything twice.
    if (written || group.length === 1) for (const { reject } of group) reject(error);
    else for (const one of group) await commitGroup(transact, [one]);
    return;
  }
  for (const [index, { resolve }] of group.entries()) resolve(results[index]);
}

async function writeAll<T>(db: Kysely<T>, group: readonly Waiting<T>[]): Promise<unknown[]> {
  const results: unknown[] = [];
  let next = 0;
  while (next < group.length) {
    let end = next + 1;
    if (group[next]?.apart) while (group[end]?.apart) end++;
    results.push(...(await allOrFirstError(group.slice(next, end).map(({ write }) => write(db)))));
    next = end;
  }
  return results;
}

/** Unlike `Promise.all` it waits for all: none may go on once the transaction is over. */
async function allOrFirstError(promises: readonly Promise<unknown>[]): Promise<unknown[]> {
  const settled = await Promise.allSettled(promises);
  return settled.map((one) => {
    if (one.status === "rejected") throw one.reason;
    return one.value;
  });
}
