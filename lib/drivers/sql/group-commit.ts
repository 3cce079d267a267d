import type { Kysely, Transaction } from "kysely";

/** Runs a write; it is on disk when the promise resolves. */
export type Commit<T> = <R>(write: (db: Kysely<T>) => Promise<R>) => Promise<R>;

interface Waiting<T> {
  write: (db: Kysely<T>) => Promise<unknown>;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

/**
 * Commits the writes of one turn of the event loop together, in order: at load many runs share the price of one
 * transaction. A write that fails takes no other with it.
 */
export function groupCommit<T>(db: Kysely<T>): Commit<T> {
  let waiting: Waiting<T>[] = [];
  let draining = false;

  const drain = async (): Promise<void> => {
    while (waiting.length > 0) {
      const group = waiting;
      waiting = [];
      await commitGroup(db, group);
    }
    draining = false;
  };

  return <R>(write: (db: Kysely<T>) => Promise<R>) =>
    new Promise<R>((resolve, reject) => {
      // `resolve` gets what `write` returned, so its type is R whatever the queue calls it.
      waiting.push({ write, resolve: resolve as (value: unknown) => void, reject });
      if (draining) return;
      draining = true;
      setImmediate(() => void drain());
    });
}

async function commitGroup<T>(db: Kysely<T>, group: readonly Waiting<T>[]): Promise<void> {
  const results: unknown[] = [];
  try {
    await db.transaction().execute(async (transaction: Transaction<T>) => {
      for (const { write } of group) results.push(await write(transaction));
    });
  } catch (error) {
    const [only, ...others] = group;
    if (only && others.length === 0) only.reject(error);
    else for (const one of group) await commitGroup(db, [one]);
    return;
  }
  for (const [index, { resolve }] of group.entries()) resolve(results[index]);
}
