import type { DeploymentChange, NewRevision, StoredRevision } from "../../../engine/ports/builds.ts";
import { revisionTransitions } from "../../../rules/revisions/state.ts";
import { fromRevisionRow, newRevisionRow } from "./revision-rows.ts";
import type { PlatformDb } from "./tables.ts";
import { changeVariables } from "./variables.ts";

/** The columns of a change; what it leaves out stays. */
export function changedDeployment({ source, settings, wanted, credentials }: DeploymentChange) {
  return {
    ...(source && { source: JSON.stringify(source) }),
    ...(settings && { settings: JSON.stringify(settings) }),
    ...(wanted && { wanted }),
    ...(credentials !== undefined && { credentials }),
  };
}

/** Queues a revision and changes the deployment with it. A revision that was still queued becomes skipped. */
export async function queueRevision(
  tx: PlatformDb,
  deployment_id: string,
  revision: NewRevision,
  change: DeploymentChange = {},
): Promise<StoredRevision | undefined> {
  const columns = changedDeployment(change);
  // This locks the deployment's row, so that numbers have no gaps or duplicates.
  const deployment = await tx
    .updateTable("deployments")
    .set((eb) => ({
      next_revision: eb("next_revision", "+", 1),
      ...(Object.keys(columns).length > 0 && { ...columns, updated_at: revision.created_at }),
    }))
    .where("deployment_id", "=", deployment_id)
    .where("wanted", "!=", "deleted")
    .returning("next_revision")
    .executeTakeFirst();
  if (!deployment) return undefined;
  await changeVariables(tx, deployment_id, change);
  await tx
    .updateTable("revisions")
    .set({ state: revisionTransitions.queued.skip, ended_at: revision.created_at })
    .where("deployment_id", "=", deployment_id)
    .where("state", "=", "queued")
    .execute();
  const row = await tx
    .insertInto("revisions")
    .values(newRevisionRow(deployment_id, deployment.next_revision - 1, revision))
    .returningAll()
    .executeTakeFirstOrThrow();
  return fromRevisionRow(row);
}
