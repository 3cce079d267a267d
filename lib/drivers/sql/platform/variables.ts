import type { SecretsChange, VariableStore } from "../../../engine/ports/variables.ts";
import type { GroupCommit } from "../group-commit.ts";
import type { PlatformDb, PlatformTables } from "./tables.ts";

export function sqlVariables(db: PlatformDb, commit: GroupCommit<PlatformTables>): VariableStore {
  return {
    async list(deploymentId) {
      const rows = await db
        .selectFrom("variables")
        .select(["name", "value", "secret", "updated_at"])
        .where("deployment_id", "=", deploymentId)
        .orderBy("name")
        .execute();
      return rows.map((row) => ({ ...row, secret: row.secret === 1 }));
    },
    credentials: (deploymentId) => sealed(db, "credentials", deploymentId),
    hook: (deploymentId) => sealed(db, "hook", deploymentId),
    setHook: (deploymentId, value) => commit((tx) => setHook(tx, deploymentId, value)),
  };
}

async function sealed(db: PlatformDb, column: "credentials" | "hook", id: string): Promise<string | undefined> {
  const row = await db.selectFrom("deployments").select(column).where("deployment_id", "=", id).executeTakeFirst();
  return row?.[column] ?? undefined;
}

async function setHook(tx: PlatformDb, id: string, value: string | undefined): Promise<void> {
  await tx
    .updateTable("deployments")
    .set({ hook: value ?? null })
    .where("deployment_id", "=", id)
    .execute();
}

export async function changeVariables(
  tx: PlatformDb,
  deployment_id: string,
  { variables: { set, remove } = { set: [], remove: [] } }: SecretsChange,
): Promise<void> {
  if (remove.length > 0) {
    await tx
      .deleteFrom("variables")
      .where("deployment_id", "=", deployment_id)
      .where("name", "in", [...remove])
      .execute();
  }
  for (const { name, value, secret, updated_at } of set) {
    const changed = { value, secret: secret ? 1 : 0, updated_at };
    await tx
      .insertInto("variables")
      .values({ deployment_id, name, ...changed })
      .onConflict((conflict) => conflict.columns(["deployment_id", "name"]).doUpdateSet(changed))
      .execute();
  }
}
