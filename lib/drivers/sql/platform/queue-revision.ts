import type { Kysely } from "kysely";
import type { NewRevision, StoredRevision } from "../../../engine/ports/builds.ts";
import { fromRevisionRow, newRevisionRow } from "./revision-rows.ts";
import type { PlatformTables } from "./tables.ts";

/** Queues a revision; one that still waited is skipped. */
export async function queueRevision(
  tx: Kysely<PlatformTables>,
  deployment_id: string,
  revision: NewRevision,
): Promise<StoredRevision> {
  // The deployment's row is this transaction's from here on: numbers go up one by one.
  const { next_revision } = await tx
    .updateTable("deployments")
    .set((eb) => ({ next_revision: eb("next_revision", "+", 1) }))
    .where("deployment_id", "=", deployment_id)
    .returning("next_revision")
    .executeTakeFirstOrThrow();
  await tx
    .updateTable("revisions")
    .set({ state: "skipped", ended_at: revision.created_at })
    .where("deployment_id", "=", deployment_id)
    .where("state", "=", "queued")
    .execute();
  const row = await tx
    .insertInto("revisions")
    .values(newRevisionRow(deployment_id, next_revision - 1, revision))
    .returningAll()
    .executeTakeFirstOrThrow();
  return fromRevisionRow(row);
}
