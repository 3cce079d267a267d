/**
 * Values of channels, one row per version. A list may be stored as a chain: a whole list, then only the items appended
 * to it. The appended parts of a chain are never larger than the whole list, or `SHORT`. So a read is proportional to
 * the list, and all versions of a growing list together take twice its size.
 */
import { type RawBuilder, sql } from "kysely";
import { type ChannelVersion, type CheckpointScope, listAt, type ListPart } from "../../protocol/checkpoints.ts";
import { LARGEST, tooLarge, type ValueKey } from "./checkpoint-rows.ts";
import { prepared } from "./prepared.ts";
import type { CheckpointValuesTable, Db } from "./tables.ts";

/** The size of appended parts, in characters, that is always acceptable. */
const SHORT = 16 * 1024;
/** The overhead of a row in addition to its data, in characters. */
const ROW = 100;
/** The most versions that one statement reads; bounds its parameters. */
const AT_ONCE = 500;

const LIST = "list";
/** The table in statements that are text. */
const VALUES = sql.table("checkpoint_values");

export function checkpointValues(db: Db) {
  const measure = prepared((input: Pick<CheckpointValuesTable, "thread_id" | "ns" | "channel" | "version">) =>
    db
      .selectFrom("checkpoint_values")
      .select(["type", "since_whole", "whole"])
      .where("thread_id", "=", input.thread_id)
      .where("ns", "=", input.ns)
      .where("channel", "=", input.channel)
      .where("version", "=", input.version),
  );
  /** Inserts a version. An existing one is kept, because a version never changes. */
  const insert = prepared<CheckpointValuesTable, unknown>((row) =>
    db
      .insertInto("checkpoint_values")
      .values(row)
      .onConflict((conflict) => conflict.doNothing()),
  );

  return {
    /** Stores versions. Returns false, and stores nothing, when a base is missing. */
    async put(tx: Db, scope: CheckpointScope, run: string, versions: readonly ChannelVersion[]): Promise<boolean> {
      const rows: CheckpointValuesTable[] = [];
      for (const version of versions) {
        const stored = await toStore(tx, scope, version);
        if (!stored) return false;
        const { channel } = version;
        rows.push({ ...stored, thread_id: scope.thread, ns: scope.ns, channel, version: version.version, run_id: run });
      }
      for (const row of rows) await insert(tx, row);
      return true;
    },
    read: readVersions,
    measure: measureVersions,
    /** Stores versions as whole values, without chains. */
    async putWhole(tx: Db, scope: CheckpointScope, run: string, versions: readonly ChannelVersion[], keys: ValueKey[]) {
      const partAt = partsOf(versions);
      for (const [channel, version] of keys) {
        const found = versions.find((one) => one.channel === channel && one.version === version);
        if (!found) continue;
        const items = "items" in found.value ? listAt(version, (at) => partAt(channel, at)) : undefined;
        const row = items ? wholeList(items) : storedAs(found.value);
        await insert(tx, { ...row, thread_id: scope.thread, ns: scope.ns, channel, version, run_id: run });
      }
    },
  };

  async function toStore(tx: Db, scope: CheckpointScope, { channel, version, value }: ChannelVersion) {
    if (!("items" in value) || value.base === undefined) return storedAs(value);
    if (value.base === version) return undefined;
    const key = { thread_id: scope.thread, ns: scope.ns, channel, version: value.base };
    const [base] = await measure(tx, key);
    if (base?.type !== LIST) return undefined;
    const data = value.items.join("\n");
    const since_whole = base.since_whole + data.length + ROW;
    if (since_whole <= Math.max(base.whole, SHORT))
      return { base: value.base, keep: value.keep, since_whole, whole: base.whole, type: LIST, data };
    const partAt = partsOf(await readVersions(tx, scope, [[channel, value.base]]));
    const before = listAt(value.base, (at) => partAt(channel, at));
    return before && wholeList([...before.slice(0, value.keep), ...value.items]);
  }
}

type ValueColumns = Pick<CheckpointValuesTable, "base" | "keep" | "since_whole" | "whole" | "type" | "data">;

function storedAs(value: ChannelVersion["value"]): ValueColumns {
  if ("items" in value) return wholeList(value.items);
  return { base: null, keep: 0, since_whole: 0, whole: value.data.length, type: value.type, data: value.data };
}

function wholeList(items: readonly string[]): ValueColumns {
  const data = items.join("\n");
  return { base: null, keep: 0, since_whole: 0, whole: data.length + ROW, type: LIST, data };
}

function partsOf(versions: readonly ChannelVersion[]): (channel: string, version: string) => ListPart | undefined {
  const parts = new Map<string, ListPart>();
  const keyOf = (channel: string, version: string): string => JSON.stringify([channel, version]);
  for (const { channel, version, value } of versions) if ("items" in value) parts.set(keyOf(channel, version), value);
  return (channel, version) => parts.get(keyOf(channel, version));
}

/** Returns the wanted versions that exist and all versions they are based on, each once. Faults: `too_large`. */
async function readVersions(db: Db, scope: CheckpointScope, wanted: readonly ValueKey[]): Promise<ChannelVersion[]> {
  const found = new Map<string, ChannelVersion>();
  let bytesLeft = LARGEST;
  for (let from = 0; from < wanted.length; from += AT_ONCE) {
    for (const { data, ...row } of await readChains(db, scope, wanted.slice(from, from + AT_ONCE), bytesLeft)) {
      if (data === null) throw tooLarge();
      bytesLeft -= data.length;
      found.set(JSON.stringify([row.channel, row.version]), fromRow({ ...row, data }));
    }
  }
  return [...found.values()];
}

type ChainRow = Pick<CheckpointValuesTable, "channel" | "version" | "base" | "keep" | "type" | "data">;

/** Reads rows; `data` is null in all of them when it takes more than `most` bytes together. */
async function readChains(db: Db, scope: CheckpointScope, wanted: readonly ValueKey[], most: number) {
  // The query first finds the versions and then reads their data, so the data of each row is touched once.
  const rows = sql<Omit<ChainRow, "data"> & { data: string | null }>`${needed(scope, wanted)}
    select v.channel, v.version, v.base, v.keep, v.type,
      case when (select sum(bytes) from needed) <= ${most} then v.data end as data
    from needed cross join ${VALUES} v
    where v.thread_id = ${scope.thread} and v.ns = ${scope.ns} and v.channel = needed.channel and v.version = needed.version`;
  return (await rows.execute(db)).rows;
}

/** Returns how many bytes `readVersions` would read. */
async function measureVersions(db: Db, scope: CheckpointScope, wanted: readonly ValueKey[]): Promise<number> {
  let bytes = 0;
  for (let from = 0; from < wanted.length; from += AT_ONCE) {
    const some = needed(scope, wanted.slice(from, from + AT_ONCE));
    const sum = sql<{ bytes: number | string | null }>`${some} select sum(bytes) as bytes from needed`;
    bytes += Number((await sum.execute(db)).rows[0]?.bytes ?? 0);
  }
  return bytes;
}

/** Builds the common table expression `needed`: the wanted versions and all that they are based on, with sizes. */
function needed({ thread, ns }: CheckpointScope, wanted: readonly ValueKey[]): RawBuilder<unknown> {
  const pairs = sql.join(wanted.map(([channel, version]) => sql`(${channel}, ${version})`));
  return sql`
    with recursive needed(channel, version, base, bytes) as (
      select channel, version, base, octet_length(data) from ${VALUES}
      where thread_id = ${thread} and ns = ${ns} and (channel, version) in (values ${pairs})
      union
      select v.channel, v.version, v.base, octet_length(v.data) from needed cross join ${VALUES} v
      where v.thread_id = ${thread} and v.ns = ${ns} and v.channel = needed.channel and v.version = needed.base
    )`;
}

function fromRow({ channel, version, base, keep, type, data }: ChainRow): ChannelVersion {
  if (type !== LIST) return { channel, version, value: { type, data } };
  const items = data === "" ? [] : data.split("\n");
  return { channel, version, value: base === null ? { keep, items } : { base, keep, items } };
}
