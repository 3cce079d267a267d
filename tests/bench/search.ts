/** Measures searches among many threads over HTTP, compared with the same bytes from a bare route. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type Kysely, sql } from "kysely";
import { v4 as uuid } from "uuid";
import { deploymentShape } from "../../lib/drivers/sql/migrations.ts";
import { openSqlite } from "../../lib/drivers/sql/sqlite.ts";
import type { Tables } from "../../lib/drivers/sql/tables.ts";
import { labelRows } from "../../lib/drivers/sql/thread-labels.ts";
import { toThreadRow } from "../../lib/drivers/sql/thread-rows.ts";
import { labelsOf } from "../../lib/rules/threads/labels.ts";
import { queryPostgres, findPostgres, openPostgres } from "../support/postgres.ts";
import { startServer } from "../support/server.ts";
import { capture, httpClient } from "./http-client.ts";
import { type Measured, measure, SECONDS } from "./measure.ts";
import { startBare } from "./servers.ts";

const THREADS = 100_000;
const AT_ONCE = 1_000;
const SCHEMA = "graphlib_bench";
const ORDERS = ["created_at", "updated_at"] as const;
const values = JSON.stringify({ messages: [{ type: "human", content: "x".repeat(1_500) }] });

/** The older half of the threads is of team blue, the newer half of team red, so that pages by time begin with red. */
const searches = {
  "no filter": {},
  "metadata of 1": { metadata: { ticket: 4_711 } },
  "metadata of 100": { metadata: { owner: "user-7" } },
  "metadata of 50,000, the newer half": { metadata: { team: "red" } },
  "metadata of 50,000, the older half": { metadata: { team: "blue" } },
  "metadata of all": { metadata: { graph_id: "agent" } },
  "metadata of 100 and of all": { metadata: { owner: "user-7", graph_id: "agent" } },
  "metadata of 50,000 and of all": { metadata: { team: "red", graph_id: "agent" } },
  "metadata of none": { metadata: { owner: "nobody" } },
  "status of 200": { status: "interrupted" },
  "status of 200, metadata of all": { status: "interrupted", metadata: { graph_id: "agent" } },
  "status of all others": { status: "idle" },
  "nested metadata of 100, which has no label": { metadata: { place: { row: 7 } } },
} as const;

export async function manyThreads(): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), "graphlib-bench-"));
  const sqlite = await openSqlite(join(home, "deployments/default/database.sqlite"), deploymentShape);
  await fill(sqlite);
  await searchAll("SQLite", home, {});
  const url = await findPostgres();
  if (url === undefined) return;
  const drop = `drop schema if exists "${SCHEMA}_default" cascade`;
  await queryPostgres(url, drop);
  const { db } = await openPostgres(url, `${SCHEMA}_default`, deploymentShape);
  await sql`set synchronous_commit = off`.execute(db);
  await fill(db);
  await searchAll("PostgreSQL", undefined, { DATABASE_URL: url, DATABASE_SCHEMA: SCHEMA });
  await queryPostgres(url, drop);
}

async function fill(db: Kysely<Tables>): Promise<void> {
  for (let begin = 0; begin < THREADS; begin += AT_ONCE) {
    const threads = Array.from({ length: AT_ONCE }, (_, one) => threadOf(begin + one));
    const rows = threads.map((thread, one) => {
      const status = (begin + one) % 500 === 0 ? ("interrupted" as const) : ("idle" as const);
      return { ...toThreadRow(thread), values, status };
    });
    await db.insertInto("threads").values(rows).execute();
    const labels = threads.flatMap((thread) => labelRows(thread, labelsOf(thread.metadata)));
    await db.insertInto("thread_labels").values(labels).execute();
  }
  await sql`vacuum`.execute(db);
  await sql`analyze`.execute(db);
  await db.destroy();
}

function threadOf(n: number) {
  const metadata = {
    graph_id: "agent",
    owner: `user-${n % 1_000}`,
    team: n < THREADS / 2 ? "blue" : "red",
    ticket: n,
    place: { row: n % 1_000 },
  };
  return {
    thread_id: uuid(),
    metadata,
    config: {},
    created_at: new Date(Date.UTC(2026, 0, 1) + n * 60_000).toISOString(),
  };
}

async function searchAll(name: string, home: string | undefined, env: Record<string, string>): Promise<void> {
  const server = await startServer({ app: resolve(import.meta.dirname, "app"), home, env });
  const url = `${server.url}/threads/search`;
  const client = httpClient(1);
  const time = (address: string, body: string): Promise<Measured> =>
    measure(1, SECONDS / 2, (first) => client.post(address, body, first));
  const bare = await startBare(await capture(url, "{}"));
  const { whole: limit } = await time(bare.url, "{}");
  bare.stop();
  console.log(
    `${THREADS} threads on ${name}, pages of 10: p50 and p95 in ms by ${ORDERS.join(", then by ")}` +
      ` (bare route, same bytes: ${limit.p50.toFixed(2)}, ${limit.p95.toFixed(2)})`,
  );
  for (const [search, filter] of Object.entries(searches)) {
    const cells: string[] = [];
    for (const sort_by of ORDERS) {
      const { whole } = await time(url, JSON.stringify({ ...filter, sort_by }));
      cells.push(`${whole.p50.toFixed(2).padStart(9)}${whole.p95.toFixed(2).padStart(9)}`);
    }
    console.log(`  ${search.padEnd(48)}${cells.join("  ")}`);
  }
  console.log();
  client.close();
  await server.stop();
}
