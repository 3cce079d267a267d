import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Gives older tasks a state, approximated from the state of their run. Reading a task yields its exact state. */
export const taskStates: Migration = {
  async up(db: Kysely<unknown>) {
    for (const column of ["thread_id", "run_id", "state", "status_at"]) {
      await db.schema
        .alterTable("tasks")
        .addColumn(column, "text", (definition) => definition.notNull().defaultTo(""))
        .execute();
    }
    await db.schema.alterTable("tasks").addColumn("heard", "text").execute();
    await sql`
      update tasks set
        run_id = task_id,
        thread_id = coalesce((select thread_id from runs where run_id = tasks.task_id), ''),
        status_at = coalesce((select updated_at from runs where run_id = tasks.task_id), created_at),
        state = coalesce((
          select case status
            when 'pending' then 'submitted' when 'running' then 'working'
            when 'success' then 'completed' when 'interrupted' then 'canceled' else 'failed' end
          from runs where run_id = tasks.task_id), 'failed')
    `.execute(db);
    await db.schema.dropIndex("tasks_context").execute();
    await db.schema.createIndex("tasks_newest").on("tasks").columns(["assistant_id", "status_at", "task_id"]).execute();
    await db.schema.createIndex("tasks_of_context").on("tasks").columns(["context_id", "status_at"]).execute();
    await db.schema.createIndex("tasks_of_thread").on("tasks").columns(["thread_id", "state"]).execute();
    await db.schema
      .createIndex("tasks_active")
      .on("tasks")
      .column("created_at")
      .where(sql.ref("state"), "in", [sql.lit("submitted"), sql.lit("working")])
      .execute();
  },
};
