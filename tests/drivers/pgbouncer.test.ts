/** Runs the suites of all stores behind PgBouncer, which gives each transaction another connection to PostgreSQL. */
import { sql } from "kysely";
import { afterAll, describe, expect, test } from "vitest";
import { createDatabases } from "../../lib/drivers/sql/databases.ts";
import { sqlRuns } from "../../lib/drivers/sql/runs.ts";
import { newFolder, removeFolders } from "../support/built-apps.ts";
import { hasPgBouncer, startPgBouncer } from "../support/own-pgbouncer.ts";
import { findPostgres, queryPostgres, withoutDiskSync } from "../support/postgres.ts";
import { databaseSuite } from "./database.suite.ts";
import { newRun } from "./runs.suite.ts";

const found = await findPostgres();
const bouncer = found !== undefined && hasPgBouncer() ? await startPgBouncer(found) : undefined;
const prefix = `graphlib_pooled_${process.pid}`;
const logger = { warn: () => undefined, error: () => undefined };

describe.skipIf(!bouncer)("behind PgBouncer", () => {
  const directUrl = withoutDiskSync(found ?? "postgres://none");
  const url = bouncer?.url ?? "";
  const home = newFolder();
  const options = { home, directUrl, pooled: true, prefix, poolSize: 8, shared: undefined, logger };
  const databases = createDatabases({ ...options, url });
  type Opened = Awaited<ReturnType<typeof databases.openDeployment>>;
  const empty: { name: string; opened: Opened }[] = [];
  const used: string[] = [];
  afterAll(async () => {
    for (const { opened } of empty) await opened.db.destroy();
    for (const name of used) await databases.dropDeployment(name);
    await databases.close();
    await bouncer?.stop();
    removeFolders();
  });

  // A used schema is emptied and reused, because creating one takes longer than most tests.
  const openNew = async () => {
    const name = `d${used.length}`;
    used.push(name);
    return { name, opened: await databases.openDeployment(name) };
  };
  const clear = (name: string) => `do $$ declare name text; begin
    for name in select tablename from pg_tables where schemaname = '${prefix}_${name}' and tablename not like 'kysely%'
    loop execute format('delete from %I.%I', '${prefix}_${name}', name); end loop;
  end $$`;

  databaseSuite("PgBouncer", async () => {
    const one = empty.pop() ?? (await openNew());
    const close = async (): Promise<void> => {
      await sql.raw(clear(one.name)).execute(one.opened.db);
      empty.push(one);
    };
    return { ...one.opened, close };
  });

  test("many clients share few connections", async () => {
    const { opened } = await openNew();
    const runs = sqlRuns(opened.db, opened.commit);
    await Promise.all(Array.from({ length: 40 }, () => runs.insert(newRun())));
    expect(await runs.list(["pending"])).toHaveLength(40);
    const connections = await queryPostgres<{ name: string }>(
      found ?? "",
      "select application_name as name from pg_stat_activity where application_name = $1",
      [`graphlib ${prefix}`],
    );
    expect(connections.length).toBeLessThanOrEqual(4);
    await opened.db.destroy();
  });
});
