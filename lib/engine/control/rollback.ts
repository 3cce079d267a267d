import { Fault } from "../../protocol/faults.ts";
import { counted } from "../../rules/text/counted.ts";
import { type GraphShapes, type LostName, lostBetween } from "../../rules/graphs/shape.ts";
import { isInPlace } from "../../rules/sources/in-place.ts";
import { buildLogName } from "./logs.ts";
import type { StoredDeployment, StoredRevision } from "../ports/builds.ts";
import type { ControlPlane } from "../ports/control.ts";
import { deploysPushes } from "./hooks.ts";
import type { Deployment, Platform } from "../ports/ports.ts";
import { getRevision, queueRevision } from "./revisions.ts";

/**
 * Queues a revision that serves the build of an earlier one, with the current environment. It turns off deploys by
 * push, because the next push would undo it. Faults: `not_found`; `conflict` for a build that is not kept, and without
 * `force` for code that cannot read what threads hold.
 */
export async function rollBack(
  platform: Platform,
  control: ControlPlane,
  deployment: StoredDeployment,
  { revision: number, force }: { revision: number; force: boolean },
): Promise<StoredRevision> {
  const target = await getRevision(control, deployment, number);
  const build = requireBuild(target);
  if (!force) await requireReadable(platform, control, deployment, target);
  const endsPushes = deployment.settings.auto_deploy && build.source.type === "git";
  const change = endsPushes ? { settings: { ...deployment.settings, auto_deploy: false } } : {};
  const endsDeploys = endsPushes && (await deploysPushes(control, deployment));
  const queued = await queueRevision(platform, control, deployment, { trigger: "rollback", ...build }, change);
  const text = "Pushes do not deploy any more. They can be turned on again in the settings";
  if (endsDeploys) control.lines.append(buildLogName(queued), [{ stream: "us", text }]);
  return queued;
}

/** Returns the build that a revision served. Faults: `conflict` when it is not kept. */
export function requireBuild({
  number,
  source,
  build_of,
  live_at,
}: StoredRevision): Pick<StoredRevision, "source" | "build_of"> {
  if (isInPlace(source)) {
    const message = `Revision ${number} was served from the folder itself, so its build is not kept`;
    throw new Fault("conflict", `${message}: bring the folder's files back, then deploy again`);
  }
  if (live_at === null)
    throw new Fault("conflict", `Revision ${number} was never live: deploy its source again instead`);
  if (build_of === null) {
    throw new Fault("conflict", `The build of revision ${number} is not kept: deploy its commit again instead`);
  }
  return { source, build_of };
}

/** Faults: `conflict` when threads hold something that the earlier code does not know. */
async function requireReadable(
  platform: Platform,
  control: ControlPlane,
  { deployment_id, name, live }: StoredDeployment,
  target: StoredRevision,
): Promise<void> {
  const served = platform.find(name);
  const now = live === null ? undefined : await control.revisions.get(deployment_id, live);
  if (!served || !now?.shapes || !target.shapes) return;
  const risks = await risksOf(served, now.shapes, target.shapes);
  if (risks.length === 0) return;
  const message = `Revision ${target.number} can't continue all threads: ${risks.join("; ")}`;
  const fix = "Roll back by force (`force: true`) to do it all the same";
  throw new Fault("conflict", `${message}. ${fix}`, { reason: "needs_force" });
}

async function risksOf(served: Deployment, from: GraphShapes, to: GraphShapes): Promise<string[]> {
  const lost = Map.groupBy(lostBetween(from, to), (one) => one.graph);
  const risks = await Promise.all(
    [...lost].map(async ([graph, losses]) => {
      const all = await served.threads.count({ metadata: { graph_id: graph } });
      const waiting = await served.threads.count({ metadata: { graph_id: graph }, status: "interrupted" });
      return losses.map((one) => wordsOf(one, all, waiting)).filter((words) => words !== undefined);
    }),
  );
  return risks.flat();
}

/** Describes a loss; undefined when it affects no thread. A lost node affects only threads that wait. */
function wordsOf({ graph, what, name }: LostName, all: number, waiting: number): string | undefined {
  if (what === "graph")
    return all > 0 ? `${counted(all, "thread")} of graph "${graph}", which it does not have` : undefined;
  if (what === "node") {
    return waiting > 0 ? `${counted(waiting, "thread")} of "${graph}" wait, and it has no node "${name}"` : undefined;
  }
  return all > 0 ? `state key "${name}" of ${counted(all, "thread")} of "${graph}", which it does not have` : undefined;
}
