import { sql } from "kysely";
import type { RunCounts, RunStore } from "../../engine/ports/ports.ts";
import type { Incident } from "../../protocol/deployments.ts";
import type { RunStatus } from "../../protocol/runs.ts";
import { fromJson } from "./json-column.ts";
import type { Db } from "./tables.ts";

export async function counts(db: Db, since: number): Promise<RunCounts> {
  const rows = await db
    .selectFrom("runs")
    .select(["status", sql<number>`count(*)`.as("n")])
    .where((eb) => eb.or([eb("ended", "is", null), eb("ended", ">=", since)]))
    .groupBy("status")
    .execute();
  const of = (status: RunStatus): number => rows.find((row) => row.status === status)?.n ?? 0;
  return {
    pending: of("pending"),
    running: of("running"),
    success: of("success"),
    error: of("error") + of("timeout"),
    interrupted: of("interrupted"),
  };
}

export async function queue(db: Db, now: number): Promise<Awaited<ReturnType<RunStore["queue"]>>> {
  const { pending, running, oldest } = await db
    .selectFrom("runs")
    .select((eb) => [
      eb.fn.countAll<number>().filterWhere("status", "=", "pending").as("pending"),
      eb.fn.countAll<number>().filterWhere("status", "=", "running").as("running"),
      eb.fn.min("due").filterWhere("status", "=", "pending").as("oldest"),
    ])
    .where((eb) => eb.or([eb("status", "=", "running"), eb.and([eb("status", "=", "pending"), eb("due", "<=", now)])]))
    .executeTakeFirstOrThrow();
  return { pending, running, oldest: oldest ?? undefined };
}

export async function incidents(db: Db, limit: number): Promise<Incident[]> {
  const rows = await db
    .selectFrom("runs")
    .select(["run_id", "graph_id", "error", "updated_at"])
    .where("status", "=", "error")
    .where("error", "is not", null)
    .orderBy("ended", "desc")
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    at: row.updated_at,
    source: "run",
    error: fromJson(row.error ?? "null"),
    graph: row.graph_id,
    run: row.run_id,
  }));
}
