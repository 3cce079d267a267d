import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { sql } from "kysely";
import { isPostgres } from "../../lib/drivers/sql/dialect.ts";
import { createDatabases, type Databases } from "../../lib/drivers/sql/databases.ts";
import { sqlRuns } from "../../lib/drivers/sql/runs.ts";
import { queryPostgres, findPostgres, withoutDiskSync } from "../support/postgres.ts";
import { newRun } from "./runs.suite.ts";

const found = await findPostgres();
const home = mkdtempSync(join(tmpdir(), "graphlib-databases-"));
const prefix = `graphlib_dropped_${process.pid}`;
const logger = { warn: () => undefined, error: () => undefined };

afterAll(async () => {
  rmSync(home, { recursive: true, force: true });
  if (found === undefined) return;
  for (const name of ["platform", "deployment_platform", "one", "two"]) {
    await queryPostgres(found, `drop schema if exists "${prefix}_${name}" cascade`);
  }
});

const kinds = [
  { kind: "SQLite", url: undefined },
  ...(found === undefined ? [] : [{ kind: "PostgreSQL", url: withoutDiskSync(found) }]),
];

/** Returns the number of runs in the database of a deployment. Stores one first if `more` is true. */
async function runsOf(databases: Databases, name: string, more: boolean): Promise<number> {
  const { db, commit } = await databases.openDeployment(name);
  const runs = sqlRuns(db, commit);
  if (more) await runs.insert(newRun());
  const all = await runs.list(["pending"]);
  await db.destroy();
  return all.length;
}

describe.each(kinds)("databases in $kind", ({ url }) => {
  const databases = createDatabases({ home, url, prefix, poolSize: 4, shared: undefined, logger });
  afterAll(() => databases.close());

  test("of a deployment are empty after being dropped, and others keep their content", async () => {
    expect(await runsOf(databases, "one", true)).toBe(1);
    expect(await runsOf(databases, "two", true)).toBe(1);
    await databases.dropDeployment("one");
    await databases.dropDeployment("one");
    expect(await runsOf(databases, "one", false)).toBe(0);
    expect(await runsOf(databases, "two", false)).toBe(1);
  });

  test("of a deployment called platform differ from those of the platform", async () => {
    const platform = await databases.openPlatform();
    expect(await runsOf(databases, "platform", true)).toBe(1);
    await databases.dropDeployment("platform");
    expect(await platform.db.selectFrom("deployments").selectAll().execute()).toEqual([]);
    await platform.db.destroy();
  });

  test("that a newer server has migrated are opened by an older one, unless what it uses was taken away", async () => {
    const store = async (name: string): Promise<void> => {
      const { db } = await databases.openDeployment("newer");
      const row = { name, timestamp: "2027-01-01T00:00:00.000Z" };
      // Kysely's own table is not among ours.
      await sql`insert into ${tableOf(db)} (name, timestamp) values (${row.name}, ${row.timestamp})`.execute(db);
      await db.destroy();
    };
    const tableOf = (db: Parameters<typeof isPostgres>[0]) =>
      isPostgres(db) ? sql.id(`${prefix}_newer`, "kysely_migration") : sql.table("kysely_migration");
    await store("900-more-columns");
    expect(await runsOf(databases, "newer", true)).toBe(1);
    await store("901-contract-old-columns");
    await expect(databases.openDeployment("newer")).rejects.toThrow(
      "The database is of a newer version of Graphlib (901-contract-old-columns): start that version instead of this one",
    );
    await databases.dropDeployment("newer");
  });

  test("are locked by one server at a time", async () => {
    const release = await databases.lock();
    await expect(databases.lock()).rejects.toThrow("in use by another Graphlib server");
    await release();
    await (
      await databases.lock()
    )();
  });
});

test.runIf(found)("deployments share the connections of their server", async () => {
  const url = found ?? "";
  const databases = createDatabases({ home, url, prefix: `${prefix}_shared`, poolSize: 3, shared: undefined, logger });
  const names = ["a", "b", "c", "d", "e", "f"];
  const opened = await Promise.all(names.map((name) => databases.openDeployment(name)));
  const busy = opened.flatMap(({ db, commit }) => [
    commit((tx) => sql`select pg_sleep(0.05)`.execute(tx)),
    sql`select pg_sleep(0.05)`.execute(db),
  ]);
  const open = await queryPostgres(url, "select 1 from pg_stat_activity where application_name = $1", [
    `graphlib ${prefix}_shared`,
  ]);
  await Promise.all(busy);
  expect(open.length).toBeLessThanOrEqual(3);
  for (const { db, commit } of opened) {
    await sqlRuns(db, commit).insert(newRun());
    expect(await sqlRuns(db, commit).list(["pending"])).toHaveLength(1);
    await db.destroy();
  }
  for (const name of names) await databases.dropDeployment(name);
  await databases.close();
});

test.runIf(found)("a schema is opened while others are created and dropped in the same database", async () => {
  const url = found ?? "";
  const databases = createDatabases({ home, url, prefix, poolSize: 4, shared: undefined, logger });
  let isOver = false;
  const churn = async (name: string): Promise<void> => {
    const schema = `"${prefix}_${name}"`;
    while (!isOver) {
      await queryPostgres(url, `create schema ${schema}; create table ${schema}.t (a int, b int, c int)`);
      await queryPostgres(url, `drop schema ${schema} cascade`);
    }
  };
  const open = async (): Promise<void> => {
    for (let times = 0; times < 60; times++) await (await databases.openDeployment("one")).db.destroy();
  };
  const churning = Promise.all(["a", "b", "c"].map(churn));
  const opened = open().finally(() => (isOver = true));
  await expect(Promise.all([opened, churning])).resolves.toBeDefined();
  await databases.close();
});
