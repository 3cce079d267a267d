import type { Kysely } from "kysely";
import type { TaskStore } from "../../engine/ports.ts";
import type { Commit } from "./group-commit.ts";
import { fromJson } from "./json-column.ts";
import type { Tables } from "./tables.ts";

export function sqlTasks(db: Kysely<Tables>, commit: Commit<Tables>): TaskStore {
  return {
    insert: (task) =>
      commit(async (tx) => {
        await tx
          .insertInto("tasks")
          .values({
            ...task,
            run_ids: JSON.stringify(task.run_ids),
            history: JSON.stringify(task.history),
            metadata: JSON.stringify(task.metadata),
          })
          .execute();
      }),
    async get(taskId) {
      const row = await db.selectFrom("tasks").selectAll().where("task_id", "=", taskId).executeTakeFirst();
      return (
        row && {
          ...row,
          run_ids: fromJson(row.run_ids),
          history: fromJson(row.history),
          metadata: fromJson(row.metadata),
        }
      );
    },
  };
}
