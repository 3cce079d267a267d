import { sql } from "kysely";
import type { BuildClaimer, RevisionStore, StoredRevision } from "../../../engine/ports/builds.ts";
import type { RevisionState } from "../../../protocol/revisions.ts";
import { heldStates, revisionTransitions } from "../../../rules/revisions/state.ts";
import { countRows } from "../count-rows.ts";
import { hasMembers, skipLocked } from "../dialect.ts";
import type { GroupCommit } from "../group-commit.ts";
import { changedColumns, fromRevisionRow } from "./revision-rows.ts";
import { queuePush } from "./pushes.ts";
import { queueRevision } from "./queue-revision.ts";
import type { PlatformDb, PlatformTables } from "./tables.ts";

export function sqlRevisions(db: PlatformDb, commit: GroupCommit<PlatformTables>): RevisionStore {
  return {
    queue: (deploymentId, revision, change) => commit((tx) => queueRevision(tx, deploymentId, revision, change)),
    queuePush: (deploymentId, revision, push) => commit((tx) => queuePush(tx, deploymentId, revision, push)),
    async get(deploymentId, number) {
      const row = await db
        .selectFrom("revisions")
        .selectAll()
        .where("deployment_id", "=", deploymentId)
        .where("number", "=", number)
        .executeTakeFirst();
      return row && fromRevisionRow(row);
    },
    async list(deploymentId, { limit, before }) {
      let query = db.selectFrom("revisions").selectAll().where("deployment_id", "=", deploymentId);
      if (before !== undefined) query = query.where("number", "<", before);
      return (await query.orderBy("number", "desc").limit(limit).execute()).map(fromRevisionRow);
    },
    claim: (by) => commit((tx) => claim(tx, by)),
    move: (...move) => commit((tx) => moveRevision(tx, ...move)),
    goLive: (at, change) => commit((tx) => goLive(tx, at, change)),
    cancel: (deployment_id, number) =>
      commit(async (tx) => {
        const found = tx.updateTable("revisions").set({ cancelling: 1 }).where("deployment_id", "=", deployment_id);
        const cancelled = await found
          .where("number", "=", number)
          .where("building", "=", 1)
          .returning("number")
          .execute();
        return cancelled.length > 0;
      }),
    async inState(states) {
      const rows = await db
        .selectFrom("revisions")
        .selectAll()
        .where("state", "in", [...states])
        .orderBy("created_at")
        .execute();
      return rows.map(fromRevisionRow);
    },
    async ahead({ deployment_id, number }) {
      const createdAt = db
        .selectFrom("revisions")
        .select("created_at")
        .where("deployment_id", "=", deployment_id)
        .where("number", "=", number);
      const waiting = db.selectFrom("revisions").where("state", "=", "queued");
      return await countRows(waiting.where("created_at", "<", createdAt));
    },
  };
}

const { queued } = revisionTransitions;

/** Claims the oldest queued revision. One that reuses a build skips to the state `starting`. */
async function claim(
  tx: PlatformDb,
  { executor, inPlace = false }: BuildClaimer = {},
): Promise<StoredRevision | undefined> {
  const building = tx.selectFrom("revisions").select("deployment_id").where("building", "=", sql.lit(1));
  const next = await skipLocked(
    tx,
    tx
      .selectFrom("revisions")
      .select(["deployment_id", "number"])
      .where("state", "=", sql.lit("queued"))
      .where("deployment_id", "not in", building)
      .$if(inPlace, (some) => some.where(hasMembers(tx, "source", { in_place: true })))
      .orderBy("created_at")
      .orderBy("deployment_id")
      .limit(1),
  ).executeTakeFirst();
  if (!next) return undefined;
  const row = await tx
    .updateTable("revisions")
    .set((eb) => ({
      state: sql<RevisionState>`case when build_of is null then ${sql.lit(queued.claim)} else ${sql.lit(queued.claim_built)} end`,
      building: 1,
      executor: executor ?? null,
      token: eb("token", "+", 1),
    }))
    .where("deployment_id", "=", next.deployment_id)
    .where("number", "=", next.number)
    .where("state", "=", "queued")
    .returningAll()
    .executeTakeFirst();
  return row && fromRevisionRow(row);
}

async function moveRevision(
  tx: PlatformDb,
  ...[at, from, to, change]: Parameters<RevisionStore["move"]>
): Promise<boolean> {
  const moved = await tx
    .updateTable("revisions")
    .set(changedColumns(to, change))
    .where("deployment_id", "=", at.deployment_id)
    .where("number", "=", at.number)
    .where("token", "=", at.token)
    .where("state", "=", from)
    .returning("number")
    .execute();
  return moved.length > 0;
}

async function goLive(tx: PlatformDb, ...[at, change]: Parameters<RevisionStore["goLive"]>): Promise<boolean> {
  if (!(await moveRevision(tx, at, "checking", revisionTransitions.checking.advance, change))) return false;
  await tx
    .updateTable("revisions")
    .set({ state: revisionTransitions.live.replace, ended_at: change.live_at ?? null })
    .where("deployment_id", "=", at.deployment_id)
    .where("number", "!=", at.number)
    .where("state", "in", [...heldStates])
    .execute();
  await tx.updateTable("deployments").set({ live: at.number }).where("deployment_id", "=", at.deployment_id).execute();
  return true;
}
