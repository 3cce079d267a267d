/** Connections to PostgreSQL that break at a commit, at each point where they can. */
import fc from "fast-check";
import { sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newIds } from "../../lib/drivers/new-id.ts";
import { commitRecords } from "../../lib/drivers/sql/commit-records.ts";
import { deploymentShape } from "../../lib/drivers/sql/migrations.ts";
import type { Tables } from "../../lib/drivers/sql/tables.ts";
import { type Loss, type LossyDatabase, startLossyDatabase } from "../support/lossy-database.ts";
import { findPostgres, openPostgres, queryPostgres, withoutDiskSync } from "../support/postgres.ts";

const found = await findPostgres();
const url = found ?? "";
const schema = `graphlib_commits_${process.pid}`;
const table = `"${schema}".commits`;
const losses: readonly Loss[] = ["lost", "unanswered", "late"];
const DAY_MS = 86_400_000;

describe.skipIf(found === undefined)("a commit whose connection breaks", () => {
  let database: LossyDatabase;
  let opened: Awaited<ReturnType<typeof openPostgres<Tables>>>;
  beforeAll(async () => {
    database = await startLossyDatabase(url);
    opened = await openPostgres(database.url, schema, deploymentShape);
    await queryPostgres(url, `create table "${schema}".counter as select 0 as n`);
  });
  afterAll(async () => {
    await opened.db.destroy();
    await database.close();
    await queryPostgres(url, `drop schema "${schema}" cascade`);
  });

  /** Adds one, which shows when it is done again; returns the sum. */
  const add = async (): Promise<number> =>
    await opened.commit(async (tx) => {
      const statement = sql<{ n: number }>`update ${sql.table(`${schema}.counter`)} set n = n + 1 returning n`;
      return (await statement.execute(tx)).rows[0]?.n ?? Number.NaN;
    });

  test("takes effect once, with every write of its group, whether it arrived or not", async () => {
    let sum = 0;
    const group = fc.record({
      writes: fc.integer({ min: 1, max: 3 }),
      loss: fc.option(fc.constantFrom(...losses), { nil: undefined }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(group, { minLength: 1, maxLength: 6 }), async (groups) => {
        for (const { writes, loss } of groups) {
          if (loss) database.lose(loss);
          const results = await Promise.all(Array.from({ length: writes }, add));
          expect(database.hasLost()).toBe(true);
          expect(results).toEqual(results.map(() => ++sum));
        }
        expect(await queryPostgres(url, `select n from "${schema}".counter`)).toEqual([{ n: sum }]);
      }),
      { numRuns: 12, examples: [[losses.map((loss) => ({ writes: 2, loss }))]] },
    );
  });

  test("is still unknown while it is on its way, and nothing else is written meanwhile", async () => {
    const before = await add();
    database.lose("late");
    const [late, next] = [add(), add().then(() => add())];
    expect(await late).toBe(before + 1);
    expect(await next).toBe(before + 3);
  });

  test("leaves few records, and the first of a server removes those that are a day old", async () => {
    const ids = [2 * DAY_MS, DAY_MS / 2].map((ago) => newIds(() => Date.now() - ago)());
    for (const id of ids) await queryPostgres(url, `insert into ${table} values ($1)`, [id]);
    const before = await records();
    const other = await openPostgres(withoutDiskSync(url), schema, deploymentShape);
    for (let n = 1; n <= 600; n++) {
      await other.commit((tx) => sql`select 1`.execute(tx));
      if (n % 50 === 0) expect((await records()).length - before.length).toBeLessThanOrEqual(251);
    }
    await other.db.destroy();
    const after = await records();
    expect(after.length).toBeGreaterThan(before.length);
    expect(ids.map((id) => after.includes(id))).toEqual([false, true]);
  });

  const records = async (): Promise<string[]> =>
    (await queryPostgres<{ commit_id: string }>(url, `select * from ${table} where committed`)).map(
      (one) => one.commit_id,
    );
});

describe.skipIf(found === undefined)("the record of a commit", () => {
  const own = `${schema}_own`;
  let client: pg.Client;
  let asking: pg.Client;
  beforeAll(async () => {
    await (await openPostgres(url, own, deploymentShape)).db.destroy();
    [client, asking] = [new pg.Client(url), new pg.Client(url)];
    await Promise.all([client.connect(), asking.connect()]);
  });
  afterAll(async () => {
    await client.query(`drop schema "${own}" cascade`);
    await Promise.all([client.end(), asking.end()]);
  });
  test.each(["commit", "rollback"])("is waited for until the transaction has ended by a %s", async (how) => {
    const records = commitRecords(own);
    const id = newIds()();
    await records.begin(client, id);
    let isKnown = false;
    const asked = records.isCommitted(asking, id).finally(() => (isKnown = true));
    await expect.poll(() => waiting()).toBe(1);
    expect(isKnown).toBe(false);
    await client.query(how);
    expect(await asked).toBe(how === "commit");
  });

  test("refuses a transaction that arrives after somebody has asked for it, however often", async () => {
    const records = commitRecords(own);
    const id = newIds()();
    for (let n = 0; n < 3; n++) expect(await records.isCommitted(asking, id)).toBe(false);
    await expect(records.begin(client, id)).rejects.toThrow("duplicate key");
    expect((await client.query("commit")).command).toBe("ROLLBACK");
    expect(await records.isCommitted(asking, id)).toBe(false);
  });

  const waiting = async (): Promise<number> => {
    const statement = "select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%' || $1 || '%'";
    return (await queryPostgres(url, statement, [`"${own}".commits`])).length;
  };
});
