import { buildSteps } from "../../protocol/build-steps.ts";
import type { RevisionCreate } from "../../protocol/control.ts";
import { Fault } from "../../protocol/faults.ts";
import type { Revision, RevisionChanges, RevisionTrigger } from "../../protocol/revisions.ts";
import type { Source } from "../../protocol/sources.ts";
import { changesBetween } from "../../rules/revisions/changes.ts";
import { isBuilding } from "../../rules/revisions/phases.ts";
import { revisionTransitions } from "../../rules/revisions/state.ts";
import type { DeploymentChange, StoredDeployment, StoredRevision } from "../ports/builds.ts";
import type { ControlPlane } from "../ports/control.ts";
import { type AbortReason, buildName, timeOf } from "./build-step.ts";
import { lookUntil } from "./look-until.ts";
import type { Platform } from "../ports/ports.ts";

export function findRevision(
  { revisions }: ControlPlane,
  { deployment_id }: Pick<StoredDeployment, "deployment_id">,
  number: number,
): Promise<StoredRevision | undefined> {
  return revisions.get(deployment_id, number);
}

/** Returns a revision. Faults: `not_found`. */
export async function getRevision(
  control: ControlPlane,
  deployment: StoredDeployment,
  number: number,
): Promise<StoredRevision> {
  const revision = await findRevision(control, deployment, number);
  if (!revision) throw new Fault("not_found", `Deployment "${deployment.name}" has no revision ${number}`);
  return revision;
}

export async function listRevisions(
  control: ControlPlane,
  deployment: StoredDeployment,
  page: { limit: number; before?: number },
): Promise<Revision[]> {
  const revisions = await control.revisions.list(deployment.deployment_id, page);
  return await Promise.all(revisions.map((one) => shownRevision(control, deployment, one)));
}

/** Returns what callers see of a stored revision. */
export async function shownRevision(
  control: ControlPlane,
  { name }: StoredDeployment,
  revision: StoredRevision,
): Promise<Revision> {
  const { deployment_id: _id, token: _token, executor: _executor, cancelling: _cancelling, ...stored } = revision;
  const { shapes: _shapes, inputs: _inputs, report, ...shown } = stored;
  return {
    deployment: name,
    ...shown,
    graphs: report?.graphs.map((one) => one.graph) ?? [],
    ...(revision.state === "queued" && { ahead: await control.revisions.ahead(revision) }),
  };
}

/** Compares a revision with `since`, or with the one that was live before it. Faults: `not_found`. */
export async function revisionChanges(
  control: ControlPlane,
  deployment: StoredDeployment,
  revision: StoredRevision,
  since?: number,
): Promise<RevisionChanges | null> {
  const before =
    since === undefined ? await liveBefore(control, revision) : await getRevision(control, deployment, since);
  return before ? changesBetween(before, revision) : null;
}

/** The number of earlier revisions that are searched for a live one. */
const LOOKED_BACK = 50;

async function liveBefore(
  { revisions }: ControlPlane,
  { deployment_id, number }: StoredRevision,
): Promise<StoredRevision | undefined> {
  const earlier = await revisions.list(deployment_id, { limit: LOOKED_BACK, before: number });
  return earlier.find((one) => one.live_at !== null);
}

/** Queues a revision of the deployment's current source. Faults: `conflict` while it is being deleted. */
export async function createRevision(
  platform: Platform,
  control: ControlPlane,
  deployment: StoredDeployment,
  { ref, upload_id }: RevisionCreate,
  trigger: RevisionTrigger = "manual",
): Promise<StoredRevision> {
  const source = sourceWith(deployment.source, ref, upload_id);
  return await queueRevision(platform, control, deployment, { trigger, source, build_of: null });
}

function sourceWith(source: Source, ref: string | undefined, upload_id: string | undefined): Source {
  if (ref !== undefined && source.type !== "git") throw new Fault("invalid", "ref: only a git source has one");
  if (upload_id !== undefined && source.type !== "upload") {
    throw new Fault("invalid", "upload_id: only a deployment of an uploaded archive takes one");
  }
  if (source.type === "git" && ref !== undefined) return { ...source, ref };
  if (source.type === "upload" && upload_id !== undefined) return { ...source, upload_id };
  return source;
}

/** Queues a revision together with a change of the deployment. Faults: `conflict` while it is being deleted. */
export async function queueRevision(
  platform: Platform,
  control: ControlPlane,
  deployment: StoredDeployment,
  revision: { trigger: RevisionTrigger; source: Source; build_of: number | null },
  change: DeploymentChange = {},
): Promise<StoredRevision> {
  const { name, deployment_id, wanted } = deployment;
  const queued = await control.revisions.queue(
    deployment_id,
    { ...revision, created_at: timeOf(platform) },
    // A deployment that was stopped runs again with its new revision.
    { ...change, ...(wanted === "stopped" && { wanted: "running" }) },
  );
  if (!queued) throw new Fault("conflict", `Deployment "${name}" is being deleted`);
  control.emitChange(name);
  control.wake();
  return queued;
}

/** Cancels a revision. Resolves when all of its work has ended. Faults: `conflict` when there was nothing to cancel. */
export async function cancelRevision(
  platform: Platform,
  control: ControlPlane,
  deployment: StoredDeployment,
  revision: StoredRevision,
): Promise<StoredRevision> {
  const ended_at = timeOf(platform);
  const { cancel } = revisionTransitions.queued;
  if (await control.revisions.move(revision, "queued", cancel, { ended_at })) control.emitChange(deployment.name);
  else await cancelBuild(control, revision);
  return await getRevision(control, deployment, revision.number);
}

/** The time for which a build of another server is waited for after it was cancelled, in ms. */
const CANCEL_MS = 30_000;

/** Cancels a build. Resolves when all of its work has ended. Faults: `conflict` when there was nothing to cancel. */
async function cancelBuild(control: ControlPlane, revision: StoredRevision): Promise<void> {
  const { deployment_id, number, state } = revision;
  const underway = control.building.get(buildName(revision));
  if (underway) {
    underway.abort.abort("cancelled" satisfies AbortReason);
    return await underway.ended;
  }
  if (!(await control.revisions.cancel(deployment_id, number)))
    throw new Fault("conflict", `Revision ${number} is ${state}: there is nothing to cancel`);
  control.tellOthers();
  // The next revision of the deployment may be built from then on.
  const isBuilt = async (): Promise<boolean> => {
    const now = await control.revisions.get(deployment_id, number);
    return now !== undefined && isBuilding(now.state);
  };
  await lookUntil(async () => !(await isBuilt()), CANCEL_MS);
}

/** Waits until no server builds a revision of this deployment, or until that takes too long. */
export async function untilNoneBuilt({ revisions, lease }: ControlPlane, deployment_id: string): Promise<void> {
  if (!lease) return;
  const isOther = (one: StoredRevision): boolean => one.deployment_id !== deployment_id;
  await lookUntil(async () => (await revisions.inState(buildSteps)).every(isOther), CANCEL_MS);
}
