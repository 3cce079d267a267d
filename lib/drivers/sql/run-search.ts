/**
 * Searches the runs of all threads in the order of their creation. One condition chooses an index in this order. The others
 * are checked on the runs themselves, a bounded number of them for each page (docs/decisions/057-runs-by-search.md).
 */
import { type Expression, type SelectQueryBuilder, type SqlBool, sql } from "kysely";
import type { StoredRun } from "../../engine/ports/ports.ts";
import type { RunQuery, VisibleRuns } from "../../engine/ports/run-search.ts";
import { isoTime } from "../../protocol/iso-time.ts";
import type { RunFilter, RunStatus } from "../../protocol/runs.ts";
import type { ListPosition } from "../../rules/cursor.ts";
import { countRows } from "./count-rows.ts";
import { hasMembers, matchesVisibility } from "./dialect.ts";
import { comesAfter, isUpTo, MOST_CHECKED } from "./keyset.ts";
import { fromRow } from "./run-rows.ts";
import { isWaiting } from "./thread-waiting.ts";
import type { Db, RunsTable, Tables } from "./tables.ts";

type RunsQuery = SelectQueryBuilder<Tables, "runs", object>;

/** The statuses whose runs have an index of their own: few runs end so. */
const FAILED = ["error", "interrupted", "timeout"] as const satisfies readonly RunStatus[];
const IN_FLIGHT: ReadonlySet<RunStatus> = new Set(["pending", "running"]);

/** The columns of a run without its arguments, in whose place there is an empty object. */
const BRIEF = [
  ...(["run_id", "thread_id", "assistant_id", "graph_id", "status", "metadata", "multitask_strategy"] as const),
  ...([
    "created_at",
    "updated_at",
    "due",
    "ended",
    "token",
    "crashes",
    "executor",
    "last_event",
    "error",
    "keep",
    "threaded",
  ] as const),
  ...(["rollback", "position", "trigger", "started_at", "first_token_at"] as const),
] satisfies (keyof RunsTable)[];

/** Runs in an index that has the order of the search. */
interface Source {
  /** The column of their time in this index: `due` is `created_at` in ms. */
  time: "created_at" | "due";
  /** Selects the runs by the conditions for which the index is made. */
  select: (runs: RunsQuery) => RunsQuery;
  /** The condition of the search that `select` answers. */
  answers?: "thread_id" | "status" | "trigger" | "assistant_id";
}

export async function searchRuns(db: Db, search: RunQuery): Promise<{ runs: StoredRun[]; next?: ListPosition }> {
  const parts = await Promise.all(sourcesOf(search).map((source) => readPart(db, source, search)));
  const isBefore = (a: ListPosition, b: ListPosition): boolean =>
    search.sort_order === "asc" ? compare(a, b) < 0 : compare(a, b) > 0;
  const inOrder = (a: ListPosition, b: ListPosition): number => (isBefore(a, b) ? -1 : 1);
  // Beyond the first place at which a part stopped, runs may be missing.
  const [stop] = parts.flatMap((part) => part.stop ?? []).toSorted(inOrder);
  const runs = parts
    .flatMap((part) => part.runs)
    .filter((run) => !stop || !isBefore(stop, positionOf(run)))
    .toSorted((a, b) => inOrder(positionOf(a), positionOf(b)));
  const page = runs.slice(0, search.limit);
  const last = page.at(-1);
  return { runs: page, next: runs.length > search.limit && last ? positionOf(last) : stop };
}

export async function countRuns(db: Db, filter: RunFilter, among?: VisibleRuns): Promise<number> {
  const plain = (column: "status" | "trigger" | "assistant_id") => sql.ref<string>(`runs.${column}`);
  const created = inTime(db.selectFrom("runs"), "created_at", filter);
  return await countRows(matching(db, ofThread(created, filter), { ...filter, among }, plain));
}

const positionOf = ({ created_at, run_id }: StoredRun): ListPosition => ({ time: created_at, id: run_id });

function compare(a: ListPosition, b: ListPosition): number {
  if (a.time !== b.time) return a.time < b.time ? -1 : 1;
  return a.id === b.id ? 0 : a.id < b.id ? -1 : 1;
}

/** Returns the sources that together hold all matching runs, by the condition that fewest runs are expected to fulfil. */
function sourcesOf(filter: RunFilter): Source[] {
  const { thread_id, status, trigger, assistant_id } = filter;
  if (thread_id !== undefined) {
    return [{ time: "created_at", answers: "thread_id", select: (runs) => ofThread(runs, filter) }];
  }
  if (status && !status.includes("success")) return status.map(withStatus);
  if (trigger && !trigger.includes("api")) return trigger.map(withTrigger);
  if (assistant_id === undefined) return [{ time: "created_at", select: (runs) => runs }];
  const select = (runs: RunsQuery): RunsQuery => runs.where("runs.assistant_id", "=", assistant_id);
  return [{ time: "created_at", answers: "assistant_id", select }];
}

function withStatus(status: RunStatus): Source {
  const inFlight = IN_FLIGHT.has(status);
  return {
    time: inFlight ? "due" : "created_at",
    answers: "status",
    select(runs) {
      const some = runs.where("runs.status", "=", sql.lit(status));
      // A partial index is used only where its condition is repeated as it is.
      return inFlight ? some.where("runs.ended", "is", null) : some.where(isFailed());
    },
  };
}

function withTrigger(trigger: string): Source {
  return {
    time: "created_at",
    answers: "trigger",
    select: (runs) => runs.where("runs.trigger", "=", trigger).where("runs.trigger", "!=", sql.lit("api")),
  };
}

/** The condition of the index `runs_failed`. */
function isFailed(): Expression<SqlBool> {
  return sql`${sql.ref("runs.status")} in (${sql.join(FAILED.map((status) => sql.lit(status)))})`;
}

function ofThread(runs: RunsQuery, { thread_id }: RunFilter): RunsQuery {
  if (thread_id === undefined) return runs;
  return runs.where("runs.thread_id", "=", thread_id).where("runs.threaded", "=", sql.lit(1));
}

/** A part of a page: runs in order, one more than the page has if there are more, and where the search stopped early. */
interface Part {
  runs: StoredRun[];
  stop?: ListPosition;
}

async function readPart(db: Db, source: Source, search: RunQuery): Promise<Part> {
  const { sort_order: order, after, limit, brief } = search;
  const key = [`runs.${source.time}`, "runs.run_id"] as const;
  const keyOf = ({ time, id }: ListPosition) => [source.time === "due" ? Date.parse(time) : time, id] as const;
  const inOrder = (runs: RunsQuery): RunsQuery => runs.orderBy(sql.ref(key[0]), order).orderBy(sql.ref(key[1]), order);
  let runs = inTime(source.select(db.selectFrom("runs")), source.time, search);
  if (after) runs = runs.where(comesAfter(key, keyOf(after), order));
  let stop: ListPosition | undefined;
  if (hasChecks(source, search)) {
    const last = await inOrder(runs)
      .select([sql.ref<string | number>(key[0]).as("time"), "runs.run_id"])
      .limit(1)
      .offset(MOST_CHECKED - 1)
      .executeTakeFirst();
    if (last) {
      stop = { time: typeof last.time === "number" ? isoTime(last.time) : last.time, id: last.run_id };
      runs = runs.where(isUpTo(key, keyOf(stop), order));
    }
    const unanswered = source.answers ? { ...search, [source.answers]: undefined } : search;
    // An expression keeps the databases from taking an index for a condition that only checks.
    runs = matching(db, runs, unanswered, (column) => sql<string>`coalesce(${sql.ref(`runs.${column}`)}, '')`);
  }
  const page = inOrder(runs).limit(limit + 1);
  const rows = brief
    ? await page
        .select(BRIEF)
        .select(sql<string>`'{}'`.as("kwargs"))
        .execute()
    : await page.selectAll("runs").execute();
  return { runs: rows.map(fromRow), stop };
}

/** Returns whether runs of the source must be checked themselves. */
function hasChecks({ answers }: Source, search: RunQuery): boolean {
  const { among, metadata } = search;
  const others = (["status", "trigger", "assistant_id"] as const).filter((name) => name !== answers);
  return metadata !== undefined || isRestricted(among) || others.some((name) => search[name] !== undefined);
}

function inTime(runs: RunsQuery, time: Source["time"], { created_after, created_before }: RunFilter): RunsQuery {
  const column = sql.ref<string | number>(`runs.${time}`);
  const valueOf = (text: string): string | number => (time === "due" ? Date.parse(text) : text);
  let some = runs;
  if (created_after !== undefined) some = some.where(column, ">=", valueOf(created_after));
  if (created_before !== undefined) some = some.where(column, "<", valueOf(created_before));
  return some;
}

/** Adds the conditions that only a run itself can answer. */
function matching(
  db: Db,
  runs: RunsQuery,
  { status, trigger, assistant_id, metadata, among }: RunFilter & { among?: VisibleRuns },
  column: (name: "status" | "trigger" | "assistant_id") => Expression<string>,
): RunsQuery {
  let some = runs;
  if (status) some = some.where(column("status"), "in", status);
  if (trigger) some = some.where(column("trigger"), "in", trigger);
  if (assistant_id !== undefined) some = some.where(column("assistant_id"), "=", assistant_id);
  if (metadata !== undefined) some = some.where(hasMembers(db, "runs.metadata", metadata));
  return isRestricted(among) ? some.where(isAmong(db, among)) : some;
}

function isRestricted(among: VisibleRuns | undefined): among is VisibleRuns {
  if (!among) return false;
  const { metadata, ...threads } = among.threads;
  const asks = Object.values(threads).some((value) => value !== undefined) || Object.keys(metadata ?? {}).length > 0;
  return asks || (among.visible ?? []).length > 0;
}

/** Returns a condition: a run on a thread is found with it, one without a thread has itself what the thread would need. */
function isAmong(db: Db, { threads, visible = [] }: VisibleRuns): Expression<SqlBool> {
  const { metadata = {}, ids, status, values, waiting } = threads;
  const meets = (column: string): Expression<SqlBool>[] => [
    hasMembers(db, column, metadata),
    matchesVisibility(db, column, visible),
  ];
  let thread = db
    .selectFrom("threads")
    .select("threads.thread_id")
    .where("threads.thread_id", "=", sql.ref<string>("runs.thread_id"));
  for (const condition of meets("threads.metadata")) thread = thread.where(condition);
  if (ids) thread = thread.where("threads.thread_id", "in", ids.length > 0 ? ids : [""]);
  if (status) thread = thread.where("threads.status", "=", status);
  if (waiting !== undefined) thread = thread.where(isWaiting(waiting));
  if (values) thread = thread.where(hasMembers(db, "threads.values", values));
  const onThread = sql`(runs.threaded = 1 and exists ${thread})`;
  if (ids ?? status ?? values ?? waiting) return sql`${onThread}`;
  return sql`(${onThread} or (runs.threaded = 0 and ${sql.join(meets("runs.metadata"), sql` and `)}))`;
}
