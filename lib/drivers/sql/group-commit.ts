import type { Kysely } from "kysely";
import { type Transact, transactOf, withKnowledge, type Write } from "./transaction.ts";
import { DatabaseAway } from "./try-again.ts";

/**
 * Runs a write; it is on disk when the promise resolves. Writes run one after the other, in the order of the calls, and
 * each sees the database as if it were alone.
 *
 * An `independent` write depends on no other write of its group: each of its statements is correct whatever happens
 * between them, and only its first keeps the order. Several of these are sent to a database server in one round trip.
 */
export type GroupCommit<T> = <R>(write: Write<T, R>, how?: HowToWrite) => Promise<R>;

export interface HowToWrite extends Locks {
  independent?: true;
}

/** Ids of the rows that a write locks. A group of writes locks all of its rows before the first write, in one order. */
export interface Locks {
  run?: string;
  thread?: string;
  /** Id of a run that is locked together with its thread. */
  threadOf?: string;
}

export type LockRows<T> = (tx: Kysely<T>, locks: readonly Locks[]) => Promise<void>;

interface QueuedWrite<T> {
  write: Write<T, unknown>;
  how: HowToWrite;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

/**
 * Commits the writes of one turn of the event loop in one transaction, in order. Under load many runs share its cost. A
 * failed write does not fail the others; a database that is away fails all. `lockRows` is left out where only one transaction writes at a time.
 */
export function groupCommit<T>(
  database: Kysely<T>,
  { transact = transactOf(database), lockRows }: { transact?: Transact<T>; lockRows?: LockRows<T> } = {},
): GroupCommit<T> {
  let waiting: QueuedWrite<T>[] = [];
  let draining = false;
  const commit: CommitHow<T> = { transact, lockRows };

  const drain = async (): Promise<void> => {
    while (waiting.length > 0) {
      const group = waiting;
      waiting = [];
      await commitGroup(commit, group);
    }
    draining = false;
  };

  return <R>(write: Write<T, R>, how: HowToWrite = {}) =>
    new Promise<R>((resolve, reject) => {
      // `resolve` receives the result of `write`, so R is its real type although the queue stores it as unknown.
      waiting.push({ write, how, resolve: resolve as (value: unknown) => void, reject });
      if (draining) return;
      draining = true;
      setImmediate(() => void drain());
    });
}

interface CommitHow<T> {
  transact: Transact<T>;
  lockRows: LockRows<T> | undefined;
}

async function commitGroup<T>(commit: CommitHow<T>, group: readonly QueuedWrite<T>[]): Promise<void> {
  let results: unknown[] = [];
  let written = false;
  try {
    await commit.transact(async (db) => {
      written = false;
      const locked = lockFirst(commit, db, group);
      // A database server takes both in one round trip.
      const writing = withKnowledge(db, () => writeAll(db, group));
      await allOrFirstError([locked, writing]);
      results = await writing;
      written = true;
    });
  } catch (error) {
    // If the commit itself fails, its outcome is unknown. A retry might apply everything twice.
    const isOver = written || group.length === 1 || error instanceof DatabaseAway;
    if (isOver) for (const { reject } of group) reject(error);
    else for (const one of group) await commitAlone(commit, one);
    return;
  }
  for (const [index, { resolve }] of group.entries()) resolve(results[index]);
}

/** Commits one write. Whoever waits for it learns of its failure before the next write begins. */
async function commitAlone<T>(commit: CommitHow<T>, write: QueuedWrite<T>): Promise<void> {
  await commitGroup(commit, [write]);
  await new Promise((resolve) => setImmediate(resolve));
}

/** Locks the rows of a group. A write alone takes its locks in the right order itself. */
async function lockFirst<T>(
  { lockRows }: CommitHow<T>,
  db: Kysely<T>,
  group: readonly QueuedWrite<T>[],
): Promise<void> {
  if (!lockRows || group.length === 1) return;
  const locks = group.map(({ how }) => how).filter(({ run, thread, threadOf }) => run ?? thread ?? threadOf);
  const hasThreads = locks.some(({ thread, threadOf }) => thread ?? threadOf);
  if (hasThreads && locks.length > 1) await lockRows(db, locks);
}

async function writeAll<T>(db: Kysely<T>, group: readonly QueuedWrite<T>[]): Promise<unknown[]> {
  const results: unknown[] = [];
  let next = 0;
  while (next < group.length) {
    let end = next + 1;
    if (group[next]?.how.independent) while (group[end]?.how.independent) end++;
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
