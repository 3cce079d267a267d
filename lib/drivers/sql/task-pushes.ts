import type { PushConfigStore, StoredPushConfig } from "../../engine/ports/pushes.ts";
import { lockForUpdate } from "./dialect.ts";
import type { GroupCommit } from "./group-commit.ts";
import { giveUpNotifications } from "./push-notifications.ts";
import type { Db, Tables } from "./tables.ts";

export function sqlPushConfigs(db: Db, commit: GroupCommit<Tables>): PushConfigStore {
  return {
    put: (push, limit) => commit((tx) => put(tx, push, limit)),
    list: (taskId) => pushConfigsOf(db, taskId),
    delete: (taskId, configId, now) =>
      commit(async (tx) => {
        await tx.deleteFrom("task_pushes").where("task_id", "=", taskId).where("config_id", "=", configId).execute();
        await giveUpNotifications(tx, { taskId, configId, now });
      }),
  };
}

export async function pushConfigsOf(db: Db, taskId: string): Promise<StoredPushConfig[]> {
  return await db
    .selectFrom("task_pushes")
    .selectAll()
    .where("task_id", "=", taskId)
    .orderBy("created_at")
    .orderBy("config_id")
    .execute();
}

async function put(tx: Db, push: StoredPushConfig, limit: number): Promise<"stored" | "full" | "missing"> {
  // The task is locked, so that nobody else adds one meanwhile.
  const tasks = tx.selectFrom("tasks").select("task_id").where("task_id", "=", push.task_id);
  if (!(await lockForUpdate(tx, tasks).executeTakeFirst())) return "missing";
  const others = (await pushConfigsOf(tx, push.task_id)).filter(({ config_id }) => config_id !== push.config_id);
  if (others.length >= limit) return "full";
  await insertPushConfig(tx, push);
  return "stored";
}

/** Inserts a push configuration, or replaces the one with the same id. */
export async function insertPushConfig(tx: Db, push: StoredPushConfig): Promise<void> {
  const { host, sealed, dialect } = push;
  await tx
    .insertInto("task_pushes")
    .values(push)
    .onConflict((conflict) => conflict.columns(["task_id", "config_id"]).doUpdateSet({ host, sealed, dialect }))
    .execute();
}
