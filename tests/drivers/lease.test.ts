/** Tests leases of servers on PostgreSQL, with a network between that can be held up. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createClock } from "../../lib/drivers/clock.ts";
import { openLease, requireNoLeases, type ServerLease } from "../../lib/drivers/sql/lease.ts";
import { lockSchema } from "../../lib/drivers/sql/lock-schema.ts";
import { createPool } from "../../lib/drivers/sql/postgres-connection.ts";
import { platformShape } from "../../lib/drivers/sql/platform/shape.ts";
import { startNetwork } from "../support/held-network.ts";
import { findPostgres, openPostgres, queryPostgres, withoutDiskSync } from "../support/postgres.ts";

const found = await findPostgres();
const url = withoutDiskSync(found ?? "postgres://none");
const schema = `graphlib_lease_${process.pid}`;
/** Leases of this length are given up after two thirds of it. */
const LENGTH_MS = 4_500;

describe.skipIf(found === undefined)("the lease of a server", () => {
  const held: ServerLease[] = [];
  const logged: string[] = [];
  const log = (message: string): void => void logged.push(message);
  let closeSchema: () => Promise<void>;

  beforeAll(async () => {
    const { db } = await openPostgres(url, schema, platformShape);
    closeSchema = () => db.destroy();
  });
  afterEach(async () => {
    for (const lease of held.splice(0)) await lease.release();
    logged.length = 0;
  });
  afterAll(async () => {
    await closeSchema();
    await queryPostgres(url, `drop schema if exists "${schema}" cascade`);
  });

  const hold = async (through = url, clock = createClock(), secrets = "old"): Promise<ServerLease> => {
    const holder = { host: "a machine", roles: "run", secrets };
    const logger = { warn: log, error: log };
    const lease = await openLease({ url: through, schema, holder, lengthMs: LENGTH_MS, clock, logger });
    held.push(lease);
    return lease;
  };
  const idOf = (lease: ServerLease): string => lease.id() ?? "";

  test("holds as long as it is renewed, and others know whose do", async () => {
    const [a, b] = await Promise.all([hold(), hold()]);
    const id = idOf(a);
    let renewals = 0;
    a.onRenewed(() => renewals++);
    await expect.poll(() => renewals, { timeout: 20_000 }).toBeGreaterThan(2);
    expect(a.id()).toBe(id);
    expect(await b.over([id, idOf(b), "another"])).toEqual(new Set(["another"]));
    await a.release();
    expect(await b.over([id, idOf(b)])).toEqual(new Set([id]));
    expect(logged).toEqual([]);
  });

  test("is lost to its server before it is over in the database, when answers do not arrive", async () => {
    const network = await startNetwork(url);
    const [a, b] = [await hold(network.url), await hold()];
    const id = idOf(a);
    const lost = new Promise<boolean>((resolve) =>
      a.onLost(() => void b.over([id]).then((over) => resolve(over.has(id)))),
    );
    network.loseAnswers();
    expect(await lost).toBe(false);
    expect(a.id()).toBeUndefined();
    await expect.poll(() => b.over([id]), { timeout: 20_000 }).toEqual(new Set([id]));
    network.passAnswers();
    await expect.poll(() => a.id(), { timeout: 20_000 }).toBeDefined();
    expect(a.id()).not.toBe(id);
    expect(await b.over([id, idOf(a)])).toEqual(new Set([id]));
    expect(logged.join("\n")).toMatch(/lost its lease[^]*has a lease again/);
    await a.release();
    network.close();
  });

  test("does not begin again after it was over", async () => {
    const [a, b] = [await hold(), await hold()];
    const id = idOf(a);
    const lost = new Promise<void>((resolve) => a.onLost(resolve));
    await queryPostgres(url, `update "${schema}".executors set expires = 0 where executor_id = $1`, [id]);
    await lost;
    await expect.poll(() => a.id(), { timeout: 20_000 }).toBeDefined();
    expect(a.id()).not.toBe(id);
    expect(await b.over([id])).toEqual(new Set([id]));
  });

  test("sets the clock of its server to the database's", async () => {
    const clock = createClock();
    clock.correct(0, 0);
    expect(clock.now()).toBeLessThan(60_000);
    const before = Date.now();
    await hold(url, clock);
    expect(Math.abs(clock.now() - Date.now())).toBeLessThan(Date.now() - before + 1_000);
  });

  test("is refused to a server without the secret of the others, which can be rotated", async () => {
    await hold();
    await expect(hold(url, createClock(), "new")).rejects.toThrow(
      "on a machine, which shares this database, has another",
    );
    const both = await hold(url, createClock(), "new,old");
    expect(idOf(both)).not.toBe("");
    await held[0]?.release();
    expect(idOf(await hold(url, createClock(), "new"))).not.toBe("");
  });

  test("is refused while a server has the schema for itself", async () => {
    const alone = await lockSchema(url, schema, () => undefined);
    await expect(hold()).rejects.toThrow("that has it for itself");
    await alone.release();
    expect(idOf(await hold())).not.toBe("");
  });

  test("keeps out a server that wants the schema for itself, until it is over", async () => {
    const lease = await hold();
    await expect(requireNoLeases(url, schema)).rejects.toThrow("shared by servers with GRAPHLIB_ROLES (on a machine)");
    await queryPostgres(url, `insert into "${schema}".executors values ('gone', 'another', 'run', 'old', $1)`, [
      Date.now() + 1_000,
    ]);
    await lease.release();
    const waited = performance.now();
    await requireNoLeases(url, schema);
    expect(performance.now() - waited).toBeGreaterThan(200);
  });
});

test.skipIf(found === undefined)("a server that stands still within a transaction keeps no locks", async () => {
  const [still, other] = [0, 1].map(() => createPool(url, { size: 1, name: schema, idleMs: 500 }));
  if (!still || !other) return;
  const table = `${schema}_locks`;
  await other.query(`create table ${table} as select 1 as n`);
  const client = await still.connect();
  await client.query("begin");
  await client.query(`update ${table} set n = 2`);
  const updated = await other.query(`update ${table} set n = n + 10 returning n`);
  expect(updated.rows).toEqual([{ n: 11 }]);
  await expect(client.query("commit")).rejects.toThrow(/terminat|not queryable/i);
  client.release(true);
  await other.query(`drop table ${table}`);
  for (const pool of [still, other]) await pool.end();
});
