import type { Kysely } from "kysely";
import { type Transact, transactOf, withKnowledge, type Write } from "./transaction.ts";

/**
 * Runs a write; it is on disk when the promise resolves. Writes run one after the other, in the order of the calls, and
 * each sees the database as if it were alone.
 *
 * An `independent` write depends on no other write of its group: each of its statements is correct whatever happens
 * between them, and only its first keeps the order. Several of these are sent to a database server in one round trip.
 */
export type GroupCommit<T> = <R>(write: Write<T, R>, how?: "independent") => Promise<R>;

interface QueuedWrite<T> {
  write: Write<T, unknown>;
  independent: boolean;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

/**
 * Commits the writes of one turn of the event loop in one transaction, in order. Under load many runs share its cost. A
 * failed write does not fail the others.
 */
export function groupCommit<T>(database: Kysely<T>, transact: Transact<T> = transactOf(database)): GroupCommit<T> {
  let waiting: QueuedWrite<T>[] = [];
  let draining = false;

  const drain = async (): Promise<void> => {
    while (waiting.length > 0) {
      const group = waiting;
      waiting = [];
      await commitGroup(transact, group);
    }
    draining = false;
  };

  return <R>(write: Write<T, R>, how?: "independent") =>
    new Promise<R>((resolve, reject) => {
      // `resolve` receives the result of `write`, so R is its real type although the queue stores it as unknown.
      const independent = how === "independent";
      waiting.push({ write, independent, resolve: resolve as (value: unknown) => void, reject });
      if (draining) return;
      draining = true;
      setImmediate(() => void drain());
    });
}

async function commitGroup<T>(transact: Transact<T>, group: readonly QueuedWrite<T>[]): Promise<void> {
  let results: unknown[] = [];
  let written = false;
  try {
    await transact(async (db) => {
      written = false;
      results = await withKnowledge(db, () => writeAll(db, group));
      written = true;
    });
  } catch (error) {
    // If the commit itself fails, its outcome is unknown. A retry might apply everything twice.
    if (written || group.length === 1) for (const { reject } of group) reject(error);
    else for (const one of group) await commitAlone(transact, one);
    return;
  }
  for (const [index, { resolve }] of group.entries()) resolve(results[index]);
}

/** Commits one write. Whoever waits for it learns of its failure before the next write begins. */
async function commitAlone<T>(transact: Transact<T>, write: QueuedWrite<T>): Promise<void> {
  await commitGroup(transact, [write]);
  await new Promise((resolve) => setImmediate(resolve));
}

async function writeAll<T>(db: Kysely<T>, group: readonly QueuedWrite<T>[]): Promise<unknown[]> {
  const results: unknown[] = [];
  let next = 0;
  while (next < group.length) {
    let end = next + 1;
    if (group[next]?.independent) while (group[end]?.independent) end++;
    results.push(...(await allOrFirstError(group.slice(next, end).map(({ write }) => write(db)))));
    next = end;
  }
  return results;
}

/** Waits for all promises, unlike `Promise.all`: no write may go on after its transaction has ended. */
async function allOrFirstError(promises: readonly Promise<unknown>[]): Promise<unknown[]> {
  const settled = await Promise.allSettled(promises);
  return settled.map((one) => {
    if (one.status === "rejected") throw one.reason;
    return one.value;
  });
}
