import type { Kysely } from "kysely";
import type {
  DeploymentSettings,
  DeploymentStore,
  NewRevision,
  StoredDeployment,
} from "../../../engine/ports/builds.ts";
import { DEFAULT_QUOTAS } from "../../../rules/workers/quotas.ts";
import type { Commit } from "../group-commit.ts";
import { fromJson } from "../json-column.ts";
import { newRevisionRow } from "./revision-rows.ts";
import type { DeploymentsTable, PlatformTables } from "./tables.ts";

type Db = Kysely<PlatformTables>;

export function sqlDeployments(db: Db, commit: Commit<PlatformTables>): DeploymentStore {
  return {
    insert: (deployment, first) => commit((tx) => insert(tx, deployment, first)),
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
    update: (name, { source, settings, wanted }, now) =>
      commit(async (tx) => {
        const row = await tx
          .updateTable("deployments")
          .set({
            updated_at: now,
            ...(source && { source: JSON.stringify(source) }),
            ...(settings && { settings: JSON.stringify(settings) }),
            ...(wanted && { wanted }),
          })
          .where("name", "=", name)
          .returningAll()
          .executeTakeFirst();
        return row && fromRow(row);
      }),
    delete: (name) => commit((tx) => remove(tx, name)),
  };
}

async function insert(tx: Db, deployment: StoredDeployment, first: NewRevision | undefined): Promise<boolean> {
  const inserted = await tx
    .insertInto("deployments")
    .values({
      ...deployment,
      source: JSON.stringify(deployment.source),
      settings: JSON.stringify(deployment.settings),
      next_revision: first ? 2 : 1,
      credentials: null,
      hook: null,
    })
    .onConflict((conflict) => conflict.column("name").doNothing())
    .returning("name")
    .execute();
  if (inserted.length === 0) return false;
  if (first)
    await tx
      .insertInto("revisions")
      .values(newRevisionRow(deployment.deployment_id, 1, first))
      .execute();
  return true;
}

/** The name last: until then nobody makes another of this name. */
async function remove(tx: Db, name: string): Promise<void> {
  const deployment = tx.selectFrom("deployments").select("deployment_id").where("name", "=", name);
  await tx.deleteFrom("revisions").where("deployment_id", "=", deployment).execute();
  await tx.deleteFrom("pushes").where("deployment_id", "=", deployment).execute();
  await tx.deleteFrom("variables").where("deployment_id", "=", deployment).execute();
  await tx.deleteFrom("deployments").where("name", "=", name).execute();
}

function fromRow({ source, settings, ...row }: DeploymentsTable): StoredDeployment {
  const { deployment_id, name, wanted, live, created_at, updated_at } = row;
  const times = { created_at, updated_at };
  // Those that were stored before there were quotas say none.
  const known = { ...DEFAULT_QUOTAS, ...fromJson<DeploymentSettings>(settings) };
  return { deployment_id, name, source: fromJson(source), settings: known, wanted, live, ...times };
}
