/**
 * Everything that differs between SQLite and PostgreSQL. All other statements are built by Kysely, the same for both.
 *
 * Statements follow these rules so that both databases take them: `on conflict ... do update` qualifies a column of the
 * existing row with its table (`eb.ref("runs.token")`); `order by` a nullable column says `nullsFirst()` or
 * `nullsLast()`; a parameter that stands alone in a select list is cast; booleans are the integers 0 and 1. Column
 * types mean what they mean in SQLite, and text is ordered by its bytes (`SqliteTypes` in `postgres.ts`).
 */
import { isDeepStrictEqual } from "node:util";
import {
  type CreateTableBuilder,
  type Expression,
  type Kysely,
  PostgresAdapter,
  type QueryExecutorProvider,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from "kysely";
import { isObject, type JsonObject } from "../../protocol/json.ts";
import { isVisible, type Visibility } from "../../rules/visibility.ts";
import { fromJson } from "./json-column.ts";

/** A database or a transaction with any tables. */
type AnyDb = Pick<Kysely<never>, "getExecutor">;

export function isPostgres(db: AnyDb): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}

/** The most hints that one condition gets, however many members a caller asks for. */
const HINTS = 8;

/**
 * Returns a condition: the JSON object in a text column (`"metadata"`, `"threads.metadata"`) has every member of
 * `wanted`. Objects are compared member by member at any depth; all other values, arrays too, must be equal as JSON.
 * The column must hold the output of `JSON.stringify`.
 */
export function hasMembers(db: AnyDb, column: string, wanted: JsonObject): Expression<SqlBool> {
  const document = sql.ref<string>(column);
  if (!isPostgres(db)) {
    // A search for the text of a member first makes a search of 100,000 rows eight times as fast: 18 ms, not 138.
    const hints = scalarsIn(wanted)
      .slice(0, HINTS)
      .map((text) => sql`instr(${document}, ${text}) > 0`);
    return sql`(${sql.join([...hints, sql`has_members(${document}, ${JSON.stringify(wanted)})`], sql` and `)})`;
  }
  const conditions = [sql<SqlBool>`${asJsonb(document)} @> ${jsonb(wanted)}`];
  const arrays = arraysIn(wanted);
  // `@>` treats an array as a set and accepts any superset of it.
  if (arrays.length > 0) {
    const found = sql`${asJsonb(document)} #> array(select jsonb_array_elements_text(pair -> 0))`;
    conditions.push(sql`not exists (
      select 1 from jsonb_array_elements(${jsonb(arrays)}) as pairs(pair) where ${found} is distinct from pair -> 1)`);
  }
  return sql`(${sql.join(conditions, sql` and `)})`;
}

/** Returns a condition: the JSON object in a text column is visible. It is `isVisible` as SQL. */
export function matchesVisibility(db: AnyDb, column: string, visible: Visibility): Expression<SqlBool> {
  const document = sql.ref<string>(column);
  if (!isPostgres(db)) return sql`is_visible(${document}, ${JSON.stringify(visible)})`;
  if (visible.length === 0) return sql`true`;
  const conditions = visible.map((condition) => {
    const member = sql`${asJsonb(document)} -> ${jsonbText(condition.key)}`;
    if ("equals" in condition) return sql`coalesce((${member}) = ${jsonb(condition.equals)}, false)`;
    const found = condition.contains.map(
      (value) => sql`exists (select 1 from jsonb_array_elements(${member}) item where item = ${jsonb(value)})`,
    );
    const all = sql.join([sql`true`, ...found], sql` and `);
    return sql`case when jsonb_typeof(${member}) = 'array' then ${all} else false end`;
  });
  return sql`(${sql.join(conditions, sql` and `)})`;
}

/** Returns a condition: a text column contains `part`, ignoring case. */
export function includesText(db: AnyDb, column: string, part: string): Expression<SqlBool> {
  const text = sql.ref<string>(column);
  // The columns' own collation "C" would lower only ASCII letters.
  if (isPostgres(db)) return sql`strpos(lower(${text} collate "default"), lower(${part}::text)) > 0`;
  return sql`instr(unicode_lower(${text}), unicode_lower(${part})) > 0`;
}

/** Makes SQLite store a migration's table as the index of its primary key alone, for tables read only by that key. */
export function withoutRowId<T extends string>(db: AnyDb, table: CreateTableBuilder<T>): CreateTableBuilder<T> {
  return isPostgres(db) ? table : table.modifyEnd(sql`without rowid`);
}

/**
 * Locks the selected rows for an update. Concurrent transactions that select in the same way skip these rows instead of
 * waiting for them. SQLite has one writer at a time and needs no lock.
 */
export function skipLocked<DB, TB extends keyof DB, O>(
  db: AnyDb,
  query: SelectQueryBuilder<DB, TB, O>,
): SelectQueryBuilder<DB, TB, O> {
  return isPostgres(db) ? query.forUpdate().skipLocked() : query;
}

/** Locks the selected rows for an update until the transaction ends. SQLite has one writing transaction at a time. */
export function lockForUpdate<DB, TB extends keyof DB, O>(
  db: AnyDb,
  query: SelectQueryBuilder<DB, TB, O>,
): SelectQueryBuilder<DB, TB, O> {
  return isPostgres(db) ? query.forUpdate() : query;
}

/**
 * Locks the selected rows against changes until the transaction ends. SQLite has one writing transaction at a time and
 * needs no lock.
 */
export function lockShared<DB, TB extends keyof DB, O>(
  db: AnyDb,
  query: SelectQueryBuilder<DB, TB, O>,
): SelectQueryBuilder<DB, TB, O> {
  return isPostgres(db) ? query.forShare() : query;
}

/**
 * Waits until no other transaction holds the lock of this name, and holds it until the transaction ends. What others have
 * committed under it is seen by the next statement. SQLite has one writing transaction at a time and needs no lock.
 */
export async function lockName(tx: AnyDb & QueryExecutorProvider, name: string): Promise<void> {
  if (isPostgres(tx)) await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx);
}

/**
 * Replaces U+0000, which PostgreSQL refuses in text, by its symbol U+2400. Every parameter passes through here, so a
 * search with such a text also finds what was stored with it.
 */
export function storable(text: string): string {
  return text.includes("\0") ? text.replaceAll("\0", "\u2400") : text;
}

/**
 * Casts text to `jsonb`, which accepts neither U+0000 nor half a surrogate pair. `JSON.stringify` writes both as
 * escapes, so their escapes are replaced on both sides of a comparison, while the column keeps its text.
 */
function asJsonb(text: Expression<string>): Expression<unknown> {
  return sql`replace(replace(${text}, '\\u0000', '\\u2400'), '\\ud', '\\ue')::jsonb`;
}

/** Makes the same replacements as `asJsonb`. */
function replaceEscapes(json: string): string {
  return json.replaceAll("\\u0000", "\\u2400").replaceAll("\\ud", "\\ue");
}

/** Encodes a value for a comparison with `asJsonb`. */
function jsonb(value: unknown): Expression<unknown> {
  return sql`${replaceEscapes(JSON.stringify(value))}::jsonb`;
}

/** Encodes text for a comparison with a string or a key within `asJsonb`. */
function jsonbText(text: string): string {
  return fromJson<string>(replaceEscapes(JSON.stringify(text)));
}

/** Returns the JSON text of each member that is neither an object nor an array, at any depth of objects. */
function scalarsIn(value: JsonObject): string[] {
  return Object.entries(value).flatMap(([key, member]) => {
    if (isObject(member)) return scalarsIn(member);
    return Array.isArray(member) ? [] : [`${JSON.stringify(key)}:${JSON.stringify(member)}`];
  });
}

/** Returns the arrays in an object with their paths, without arrays inside arrays. */
function arraysIn(value: JsonObject): [path: string[], array: unknown[]][] {
  return Object.entries(value).flatMap(([key, member]): [string[], unknown[]][] => {
    if (Array.isArray(member)) return [[[key], member]];
    if (!isObject(member)) return [];
    return arraysIn(member).map(([path, array]) => [[key, ...path], array]);
  });
}

/** SQL functions that SQLite lacks; `sqlite.ts` registers them. `document` is null where the column is. */
export function sqliteFunctions() {
  const wantedOf = memoizeLast(fromJson<JsonObject>);
  const visibleOf = memoizeLast(fromJson<Visibility>);
  return {
    unicode_lower: (text: string | null) => text?.toLowerCase() ?? null,
    has_members: (document: string | null, wanted: string) =>
      document !== null && hasAll(fromJson(document), wantedOf(wanted)) ? 1 : 0,
    is_visible: (document: string | null, visible: string) =>
      document !== null && isVisible(visibleOf(visible), fromJson(document)) ? 1 : 0,
  };
}

function hasAll(document: unknown, wanted: JsonObject): boolean {
  if (!isObject(document)) return false;
  return Object.entries(wanted).every(([key, value]) => {
    if (!Object.hasOwn(document, key)) return false;
    return isObject(value) ? hasAll(document[key], value) : isDeepStrictEqual(document[key], value);
  });
}

/** Caches the last parsed argument, because one statement passes the same text for every row. */
function memoizeLast<T>(parse: (text: string) => T): (text: string) => T {
  let last: { text: string; value: T } | undefined;
  return (text) => {
    if (last?.text !== text) last = { text, value: parse(text) };
    return last.value;
  };
}
