import { afterAll, describe, expect, test } from "vitest";
import { sql } from "kysely";
import pg from "pg";
import { sqlAssistants } from "../../lib/drivers/sql/assistants.ts";
import { lockSchema } from "../../lib/drivers/sql/lock-schema.ts";
import { platformShape } from "../../lib/drivers/sql/platform/shape.ts";
import type { PlatformTables } from "../../lib/drivers/sql/platform/tables.ts";
import { deploymentShape } from "../../lib/drivers/sql/migrations.ts";
import type { Shape } from "../../lib/drivers/sql/migrate.ts";
import { sqlRuns } from "../../lib/drivers/sql/runs.ts";
import { queryPostgres, breakConnections, findPostgres, withoutDiskSync, openPostgres } from "../support/postgres.ts";
import { databaseSuite } from "./database.suite.ts";
import type { Tables } from "../../lib/drivers/sql/tables.ts";
import { lineSuite } from "./lines.suite.ts";
import { platformSuite } from "./platform.suite.ts";
import { expectOldRunsRead, shapeUpTo } from "./run-search.suite.ts";
import { begin, newRun } from "./runs.suite.ts";
import { expectOldThreadsFound } from "./thread-search.suite.ts";

const found = await findPostgres();
const url = found ?? "";

test("PostgreSQL is reachable where tests require it", () => {
  expect(found !== undefined || process.env.CI !== "true").toBe(true);
});

const used: string[] = [];
function newSchema(): string {
  const schema = `graphlib_test_${process.pid}_${used.length}`;
  used.push(schema);
  return schema;
}

// A used schema is emptied and reused, because creating one takes longer than most tests.
const empty: OpenedDeployment[] = [];
afterAll(async () => {
  for (const { db } of [...empty, ...emptyPlatforms]) await db.destroy();
  for (const schema of used) await queryPostgres(url, `drop schema if exists "${schema}" cascade`);
});

describe.skipIf(found === undefined)("PostgreSQL", () => {
  databaseSuite("PostgreSQL", async () => {
    const opened = empty.pop() ?? (await openEmpty(deploymentShape));
    const close = async (): Promise<void> => {
      await opened.empty();
      empty.push(opened);
    };
    return { ...opened, close };
  });
});

const emptyPlatforms: OpenedPlatform[] = [];
describe.skipIf(found === undefined)("PostgreSQL", () => {
  const openPlatform = async () => {
    const opened = emptyPlatforms.pop() ?? (await openEmpty(platformShape));
    const close = async (): Promise<void> => {
      await opened.empty();
      emptyPlatforms.push(opened);
    };
    return { ...opened, close };
  };
  platformSuite("PostgreSQL", openPlatform);
  lineSuite("PostgreSQL", openPlatform);
});

/** Opens a new schema with one connection: a store that needs a second one while it holds the first waits for ever. */
async function openEmpty<T>(shape: Shape<T>) {
  const schema = newSchema();
  const opened = await openPostgres(withoutDiskSync(url), schema, shape, 1);
  const empty = `do $$ declare name text; begin
    for name in select tablename from pg_tables where schemaname = '${schema}' and tablename not like 'kysely%'
    loop execute format('delete from %I.%I', '${schema}', name); end loop;
  end $$`;
  return { ...opened, empty: () => sql.raw(empty).execute(opened.db) };
}

type OpenedPlatform = Awaited<ReturnType<typeof openEmpty<PlatformTables>>>;
type OpenedDeployment = Awaited<ReturnType<typeof openEmpty<Tables>>>;

describe.skipIf(found === undefined)("a schema of PostgreSQL", () => {
  test("numbers the changes of an assistant one by one, from whichever server they come", async () => {
    const schema = newSchema();
    const opened = await Promise.all([1, 2, 3].map(() => openPostgres(url, schema, deploymentShape)));
    const stores = opened.map(({ db, commit }) => sqlAssistants(db, commit));
    const now = new Date().toISOString();
    const assistant_id = "a0000000-0000-4000-8000-000000000001";
    const fields = { name: "n", description: null, config: {}, context: {}, metadata: {} };
    const first = { assistant_id, graph_id: "g", ...fields, version: 1, created_at: now, updated_at: now };
    expect((await Promise.all(stores.map((store) => store.ensure(first)))).filter(Boolean)).toEqual([true]);
    const changes = Array.from({ length: 30 }, async (_, n) => {
      const metadata = { [`key${n}`]: n };
      return await stores[n % 3]?.update(assistant_id, (was) => ({
        ...was,
        metadata: { ...was.metadata, ...metadata },
      }));
    });
    const versions = (await Promise.all(changes)).map((one) => one?.version);
    expect(versions.toSorted((a, b) => Number(a) - Number(b))).toEqual(changes.map((_, n) => n + 2));
    const [newest] = (await stores[0]?.versions(assistant_id, { limit: 1, offset: 0 })) ?? [];
    expect([newest?.version, Object.keys(newest?.metadata ?? {}).length]).toEqual([31, 30]);
    for (const { db } of opened) await db.destroy();
  });

  test("of an older version gets the index rows that find its threads", async () => {
    const schema = newSchema();
    await expectOldThreadsFound((shape) => openPostgres(url, schema, shape));
  });

  test("of an older version has runs of the API, without the times that were not kept", async () => {
    const schema = newSchema();
    await expectOldRunsRead(async (upTo) => {
      const opened = await openPostgres(url, schema, shapeUpTo(upTo));
      return { ...opened, close: () => opened.db.destroy() };
    });
  });

  test("is created once by several servers that open it at once", async () => {
    const schema = newSchema();
    const opened = await Promise.all([1, 2, 3, 4].map(() => openPostgres(url, schema, deploymentShape)));
    for (const { db, commit } of opened) await sqlRuns(db, commit).insert(newRun());
    for (const { db, commit } of opened) {
      expect(await sqlRuns(db, commit).list(["pending"])).toHaveLength(4);
      await db.destroy();
    }
  });

  test("holds all tables, and no other schema gets any", async () => {
    const before = await queryPostgres(url, "select 1 from pg_tables where schemaname = 'public'");
    const schema = newSchema();
    const { db } = await openPostgres(url, schema, deploymentShape);
    const tables = await queryPostgres<{ tablename: string }>(
      url,
      "select tablename from pg_tables where schemaname = $1",
      [schema],
    );
    expect(tables.map((table) => table.tablename)).toEqual(expect.arrayContaining(["runs", "threads", "assistants"]));
    expect(await queryPostgres(url, "select 1 from pg_tables where schemaname = 'public'")).toEqual(before);
    await db.destroy();
  });

  test("gives a run to one of several claimers on several connections", async () => {
    const schema = newSchema();
    const opened = await Promise.all([1, 2, 3, 4].map(() => openPostgres(url, schema, deploymentShape)));
    const stores = opened.map(({ db, commit }) => sqlRuns(db, commit));
    for (let n = 0; n < 60; n++) await stores[0]?.insert(newRun());
    const claims = await Promise.all(
      [1, 2, 3].flatMap(() => stores.map((store) => store.claim(5, Date.now() + 1_000, begin))),
    );
    const ids = claims.flat().map((run) => run.run_id);
    expect(ids).toHaveLength(60);
    expect(new Set(ids).size).toBe(60);
    for (const { db } of opened) await db.destroy();
  });

  test("is available again after all connections broke, idle or in use, and reads and writes waited for it", async () => {
    const schema = newSchema();
    const { db, commit } = await openPostgres(url, schema, deploymentShape);
    const runs = sqlRuns(db, commit);
    let tries = 0;
    const holder = new pg.Client(url);
    await holder.connect();
    await holder.query("select pg_advisory_lock(hashtextextended($1, 0))", [schema]);
    const reading = sql<{ n: number }>`select 1 as n, pg_advisory_xact_lock(hashtextextended(${schema}, 0))`.execute(
      db,
    );
    const writing = commit(async (tx) => {
      const before = await tx.selectFrom("runs").select("run_id").execute();
      await tx.updateTable("runs").set({ token: 7 }).execute();
      await sql`select pg_sleep(${tries++ === 0 ? 60 : 0})`.execute(tx);
      return before.length;
    });
    const inserting = [1, 2, 3].map(() => runs.insert(newRun()));
    await expect.poll(() => waiters(schema)).toBe(2);
    expect(await breakConnections(url, schema)).toBeGreaterThanOrEqual(2);
    await expect.poll(() => waiters(schema)).toBe(1);
    await holder.end();
    expect((await reading).rows).toMatchObject([{ n: 1 }]);
    expect(await writing).toBe(0);
    await Promise.all(inserting);
    expect(await runs.list(["pending"])).toHaveLength(3);
    await db.destroy();
  });

  test("is locked by one server at a time, also if its connection breaks, and unlocked afterwards", async () => {
    const schema = newSchema();
    const lost: string[] = [];
    const hold = await lockSchema(url, schema, (reason) => lost.push(reason));
    await expect(lockSchema(url, schema, () => undefined)).rejects.toThrow(/in use by another Graphlib server/);
    expect(await breakConnections(url, schema)).toBe(1);
    await expect.poll(() => holders(schema)).toBe(1);
    await expect(lockSchema(url, schema, () => undefined)).rejects.toThrow(/in use by another Graphlib server/);
    await hold.release();
    await (await lockSchema(url, schema, () => undefined)).release();
    expect(lost).toEqual([]);
  });

  test("is refused with a reason without the password when no server answers", async () => {
    const nobody = "postgres://somebody:s3cret@127.0.0.1:1/test";
    const refusal = await openPostgres(nobody, "graphlib_test", deploymentShape).catch((error: unknown) => error);
    expect(String(refusal)).toMatch(/^Error: No connection to PostgreSQL at 127\.0\.0\.1:1\/test/);
    expect(JSON.stringify(refusal, Object.getOwnPropertyNames(refusal)) + String(refusal)).not.toContain("s3cret");
  });
});

async function waiters(schema: string): Promise<number> {
  const statement = "select 1 from pg_stat_activity where application_name = $1 and state = 'active'";
  return (await queryPostgres(url, `${statement} and wait_event is not null`, [`graphlib ${schema}`])).length;
}

async function holders(schema: string): Promise<number> {
  const statement =
    "select 1 from pg_locks join pg_stat_activity using (pid) where locktype = 'advisory' and granted and application_name = $1";
  return (await queryPostgres(url, statement, [`graphlib ${schema}`])).length;
}
