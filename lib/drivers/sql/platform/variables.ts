import type { Kysely } from "kysely";
import type { VariableStore } from "../../../engine/ports/builds.ts";
import type { Commit } from "../group-commit.ts";
import type { PlatformTables } from "./tables.ts";

export function sqlVariables(db: Kysely<PlatformTables>, commit: Commit<PlatformTables>): VariableStore {
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
    change: (deployment_id, set, remove) =>
      commit(async (tx) => {
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
      }),
    credentials: (deploymentId) => sealed(db, "credentials", deploymentId),
    setCredentials: (deploymentId, value) => commit((tx) => setSealed(tx, "credentials", deploymentId, value)),
    hook: (deploymentId) => sealed(db, "hook", deploymentId),
    setHook: (deploymentId, value) => commit((tx) => setSealed(tx, "hook", deploymentId, value)),
  };
}

type Sealed = "credentials" | "hook";

async function sealed(db: Kysely<PlatformTables>, column: Sealed, id: string): Promise<string | undefined> {
  const row = await db.selectFrom("deployments").select(column).where("deployment_id", "=", id).executeTakeFirst();
  return row?.[column] ?? undefined;
}

async function setSealed(
  tx: Kysely<PlatformTables>,
  column: Sealed,
  id: string,
  value: string | undefined,
): Promise<void> {
  await tx
    .updateTable("deployments")
    .set({ [column]: value ?? null })
    .where("deployment_id", "=", id)
    .execute();
}
