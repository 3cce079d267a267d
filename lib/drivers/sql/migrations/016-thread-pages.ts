import { type Expression, type Kysely, type SqlBool, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * Indexes of the threads that wait for a person and of those with a rare status, in each order of pages. They are partial: a run
 * that ends well on a thread without questions never enters them.
 */
export const threadPages: Migration = {
  async up(db: Kysely<unknown>) {
    const isWaiting = sql<SqlBool>`waiting = 1`;
    const isRare = sql<SqlBool>`status in ('interrupted', 'error')`;
    const create = async (name: string, columns: string[], where: Expression<SqlBool>): Promise<void> => {
      await db.schema.createIndex(name).on("threads").columns(columns).where(where).execute();
    };
    // The indexes include the rest of the labels' key, so that labels are checked without reading the threads.
    await create("threads_waiting_created_at", ["created_at", "thread_id"], isWaiting);
    for (const time of ["updated_at", "state_updated_at"]) {
      await create(`threads_waiting_${time}`, [time, "thread_id", "created_at"], isWaiting);
      await create(`threads_rare_${time}`, ["status", time, "thread_id", "created_at"], isRare);
    }
    await db.schema.dropIndex("threads_state_updated_at").execute();
    await db.schema
      .createIndex("threads_state_updated_at")
      .on("threads")
      .columns(["state_updated_at", "thread_id", "created_at"])
      .execute();
  },
};
