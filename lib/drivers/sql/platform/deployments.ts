import { sql } from "kysely";
import type {
  DeploymentSettings,
  DeploymentStore,
  NewRevision,
  StoredDeployment,
} from "../../../engine/ports/builds.ts";
import type { SecretsChange } from "../../../engine/ports/variables.ts";
import { DEFAULT_QUOTAS } from "../../../rules/workers/quotas.ts";
import type { GroupCommit } from "../group-commit.ts";
import { fromJson } from "../json-column.ts";
import { newRevisionRow } from "./revision-rows.ts";
import { changedDeployment } from "./queue-revision.ts";
import type { PlatformDb, DeploymentsTable, PlatformTables } from "./tables.ts";
import { changeVariables } from "./variables.ts";

export function sqlDeployments(db: PlatformDb, commit: GroupCommit<PlatformTables>): DeploymentStore {
  return {
    insert: (deployment, first, secrets) => commit((tx) => insert(tx, deployment, first, secrets)),
    async get(name) {
      const row = await db.selectFrom("deployments").selectAll().where("name", "=", name).executeTakeFirst();
      return row && fromRow(row);
    },
    async byId(deploymentId) {
      const row = await db
        .selectFrom("deployments")
        .selectAll()
        .where("deployment_id", "=", deploymentId)
        .executeTakeFirst();
      return row && fromRow(row);
    },
    async list() {
      const rows = await db.selectFrom("deployments").selectAll().orderBy("name").execute();
      return rows.map(fromRow);
    },
    async fingerprints() {
      const rows = await db
        .selectFrom("deployments")
        .leftJoin("revisions", (on) =>
          on
            .onRef("revisions.deployment_id", "=", "deployments.deployment_id")
            .on("revisions.number", "=", sql`deployments.next_revision - 1`),
        )
        .select(["name", "wanted", "live", "updated_at", "number", "state", "token", "cancelling"])
        .execute();
      return new Map(rows.map(({ name, ...rest }) => [name, JSON.stringify(rest)]));
    },
    update: (name, change, now) =>
      commit(async (tx) => {
        const row = await tx
          .updateTable("deployments")
          .set({ ...changedDeployment(change), updated_at: now })
          .where("name", "=", name)
          .returningAll()
          .executeTakeFirst();
        if (row) await changeVariables(tx, row.deployment_id, change);
        return row && fromRow(row);
      }),
    delete: (name) => commit((tx) => remove(tx, name)),
  };
}

async function insert(
  tx: PlatformDb,
  deployment: StoredDeployment,
  first: NewRevision,
  secrets: SecretsChange = {},
): Promise<boolean> {
  const inserted = await tx
    .insertInto("deployments")
    .values({
      ...deployment,
      source: JSON.stringify(deployment.source),
      settings: JSON.stringify(deployment.settings),
      next_revision: 2,
      credentials: secrets.credentials ?? null,
      hook: null,
    })
    .onConflict((conflict) => conflict.column("name").doNothing())
    .returning("name")
    .execute();
  if (inserted.length === 0) return false;
  await tx
    .insertInto("revisions")
    .values(newRevisionRow(deployment.deployment_id, 1, first))
    .execute();
  await changeVariables(tx, deployment.deployment_id, secrets);
  return true;
}

/** Deletes a deployment. Its own row goes last, so that the name stays taken until then. */
async function remove(tx: PlatformDb, name: string): Promise<void> {
  const deployment = tx.selectFrom("deployments").select("deployment_id").where("name", "=", name);
  await tx.deleteFrom("revisions").where("deployment_id", "=", deployment).execute();
  await tx.deleteFrom("pushes").where("deployment_id", "=", deployment).execute();
  await tx.deleteFrom("variables").where("deployment_id", "=", deployment).execute();
  await tx.deleteFrom("deployments").where("name", "=", name).execute();
}

function fromRow({ source, settings, ...row }: DeploymentsTable): StoredDeployment {
  const { deployment_id, name, wanted, live, created_at, updated_at } = row;
  const times = { created_at, updated_at };
  // Deployments that were stored before quotas existed get the defaults.
  const withQuotas = { ...DEFAULT_QUOTAS, ...fromJson<DeploymentSettings>(settings) };
  return { deployment_id, name, source: fromJson(source), settings: withQuotas, wanted, live, ...times };
}
