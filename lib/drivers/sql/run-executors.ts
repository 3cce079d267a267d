/** Reads the runs of all servers that share a PostgreSQL database: who executes them, and how far they are. */
import { sql } from "kysely";
import type { RunStore } from "../../engine/ports/ports.ts";
import type { RunEventStore } from "../../engine/ports/runs.ts";
import { prepared } from "./prepared.ts";
import type { Db } from "./tables.ts";

export function runExecutors(
  db: Db,
): Pick<RunStore, "executors" | "cancelledOf"> & Pick<RunEventStore, "positions" | "activity"> {
  const positions = prepared(({ ids }: { ids: readonly string[] }) =>
    db
      .selectFrom("runs")
      .select(["run_id", "last_event", "ended"])
      .where(sql<boolean>`run_id = any(${ids})`),
  );
  const inFlight = db.selectFrom("runs").where("ended", "is", null);
  const newest = inFlight.select(({ fn }) => fn.max("updated_at").as("newest"));
  const activity = prepared(() =>
    db
      .selectFrom("runs")
      .select(({ fn }) => [
        fn.max("ended").as("ended"),
        inFlight.select(sql<number>`count(*)`.as("count")).as("count"),
        newest.as("newest"),
      ]),
  );
  const running = inFlight.where("status", "=", sql.lit("running" as const));
  return {
    async executors() {
      return (await running.select("executor").distinct().execute()).map(({ executor }) => executor);
    },
    async cancelledOf(executor) {
      const cancelled = running.where("executor", "=", executor).where("rollback", "!=", 0);
      return (await cancelled.select("run_id").execute()).map(({ run_id }) => run_id);
    },
    async positions(runIds) {
      const rows = await positions(db, { ids: runIds });
      return rows.map(({ ended, ...row }) => ({ ...row, hasEnded: ended !== null }));
    },
    async activity() {
      const [row] = await activity(db, {});
      return JSON.stringify(row);
    },
  };
}
