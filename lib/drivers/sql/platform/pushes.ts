import type { Kysely } from "kysely";
import type { NewPush, NewRevision, StoredRevision } from "../../../engine/ports/builds.ts";
import { heldStates, isUnderway } from "../../../rules/revisions/state.ts";
import { fromRevisionRow } from "./revision-rows.ts";
import { queueRevision } from "./queue-revision.ts";
import type { PlatformTables } from "./tables.ts";

type Db = Kysely<PlatformTables>;

/** Queues a revision for a push; undefined when it has one. */
export async function queuePush(
  tx: Db,
  deployment_id: string,
  revision: NewRevision,
  { delivery, sha, since }: NewPush,
): Promise<StoredRevision | undefined> {
  // The deployment's row is this transaction's from here on: of two deliveries at once, the second sees the first.
  await tx
    .updateTable("deployments")
    .set((eb) => ({ next_revision: eb.ref("next_revision") }))
    .where("deployment_id", "=", deployment_id)
    .execute();
  await tx.deleteFrom("pushes").where("deployment_id", "=", deployment_id).where("received_at", "<", since).execute();
  const known = await tx
    .selectFrom("pushes")
    .selectAll()
    .where("deployment_id", "=", deployment_id)
    .where((eb) => eb.or([eb("delivery", "=", delivery), eb("sha", "=", sha)]))
    .execute();
  if (known.some((one) => one.delivery === delivery)) return undefined;
  const row = await tx
    .selectFrom("revisions")
    .selectAll()
    .where("deployment_id", "=", deployment_id)
    .orderBy("number", "desc")
    .limit(1)
    .executeTakeFirst();
  const newest = row && fromRevisionRow(row);
  if (newest && goesOn(newest) && (newest.commit?.sha === sha || known.some((one) => one.revision === newest.number))) {
    return undefined;
  }
  const queued = await queueRevision(tx, deployment_id, revision);
  if (!queued) return undefined;
  const push = { deployment_id, delivery, sha, revision: queued.number, received_at: revision.created_at };
  await tx.insertInto("pushes").values(push).execute();
  return queued;
}

/** It waits, is built, or serves: another of the same commit would change nothing. */
function goesOn({ state }: StoredRevision): boolean {
  return isUnderway(state) || heldStates.some((one) => one === state);
}
