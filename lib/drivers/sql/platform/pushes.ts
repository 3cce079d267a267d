import type { NewPush, NewRevision, StoredRevision } from "../../../engine/ports/builds.ts";
import { isUnderway } from "../../../rules/revisions/phases.ts";
import { heldStates } from "../../../rules/revisions/state.ts";
import { fromRevisionRow } from "./revision-rows.ts";
import { queueRevision } from "./queue-revision.ts";
import type { PlatformDb } from "./tables.ts";

/** Queues a revision for a push. Returns undefined when the delivery or the commit has one already. */
export async function queuePush(
  tx: PlatformDb,
  deployment_id: string,
  revision: NewRevision,
  { delivery, sha, since }: NewPush,
): Promise<StoredRevision | undefined> {
  // This locks the deployment's row, so that of two concurrent deliveries the second sees the first.
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
  if (
    newest &&
    isCurrent(newest) &&
    (newest.commit?.sha === sha || known.some((one) => one.revision === newest.number))
  ) {
    return undefined;
  }
  const queued = await queueRevision(tx, deployment_id, revision);
  if (!queued) return undefined;
  const push = { deployment_id, delivery, sha, revision: queued.number, received_at: revision.created_at };
  await tx.insertInto("pushes").values(push).execute();
  return queued;
}

/** Returns whether a revision waits, is built, or serves. Another one of the same commit would change nothing. */
function isCurrent({ state }: StoredRevision): boolean {
  return isUnderway(state) || heldStates.some((one) => one === state);
}
