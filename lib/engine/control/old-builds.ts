import type { StoredDeployment, StoredRevision } from "../ports/builds.ts";
import type { ControlPlane } from "../ports/control.ts";

/** The number of builds that are kept for a rollback, besides the live one. */
const KEPT = 5;
const LOOKED_AT = 100;

/** Removes the files of builds that are too old for a rollback. Their revisions stay in the history. */
export async function removeOldBuilds(control: ControlPlane, { deployment_id, name }: StoredDeployment): Promise<void> {
  const revisions = await control.revisions.list(deployment_id, { limit: LOOKED_AT });
  const built = revisions.filter(
    (one): one is StoredRevision & { build_of: number } =>
      one.build_of !== null && (one.state === "replaced" || one.state === "live"),
  );
  const kept = new Set([...new Set(built.map((one) => one.build_of))].slice(0, KEPT + 1));
  for (const number of new Set(built.map((one) => one.build_of))) {
    if (kept.has(number)) continue;
    await control.buildTools.remove({ deployment_id, name, number });
    for (const one of built) {
      if (one.build_of === number) await control.revisions.move(one, one.state, one.state, { build_of: null });
    }
  }
}
