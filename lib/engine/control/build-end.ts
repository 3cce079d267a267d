/** Ends builds that did not go live, and requeues or fails interrupted ones. */
import type { RevisionProblem } from "../../protocol/revisions.ts";
import { isBuilding } from "../../rules/revisions/phases.ts";
import { nextRevisionState, type RevisionEvent } from "../../rules/revisions/state.ts";
import { platformFailure, problemTitle } from "../../rules/revisions/words.ts";
import type { RevisionChange, StoredDeployment, StoredRevision } from "../ports/builds.ts";
import type { ControlPlane } from "../ports/control.ts";
import type { Platform } from "../ports/ports.ts";
import { type AbortReason, BuildProblem, BuildSuperseded, logBuild, timeOf, type ActiveBuild } from "./build-step.ts";
import { serveLive } from "./serve-live.ts";

/** The number of attempts at a build that the platform leaves unfinished. */
const ATTEMPTS = 3;

/** Stores the end of a build. It can be called again after it has failed. */
export type StoreEnd = () => Promise<void>;

/** Stores the end of a build. Resolves with the function to call again when that has failed. Never rejects. */
export async function storeEnd({ logger }: Platform, store: StoreEnd): Promise<StoreEnd | undefined> {
  try {
    await store();
    return undefined;
  } catch (error) {
    logger.error("the end of a build could not be stored", error);
    return store;
  }
}

/** Decides how a build ends that threw this, and writes the end to its log. */
export function endOf(build: ActiveBuild, thrown: unknown): StoreEnd {
  const { control, platform, revision, abort } = build;
  const isExpected = abort.signal.aborted || thrown instanceof BuildProblem || thrown instanceof BuildSuperseded;
  if (!isExpected) platform.logger.error(`build of ${build.name}`, thrown);
  if (thrown instanceof BuildSuperseded) return () => Promise.resolve();
  const event = eventOf(abort.signal);
  const step = revision.steps.at(-1)?.step;
  const problem = event === "fail" ? problemOf(thrown, step) : null;
  const ended_at = timeOf(platform);
  const steps = revision.steps.map((one) => ({ ...one, ended_at: one.ended_at ?? ended_at }));
  let logged = false;
  return async () => {
    const found = await findBuild(control, revision);
    if (!found) return;
    const { now, deployment } = found;
    if (now.state === "live") {
      await serveLive(platform, control, deployment);
      return control.emitChange(build.name);
    }
    if (!logged) logEnd(build, event, problem);
    logged = true;
    await control.lines.flush();
    await moveBuild(control, now, event, event === "requeue" ? { steps: [] } : { steps, ended_at, problem });
    // Listeners need not wait until the files are gone, which takes a while.
    control.emitChange(build.name);
    if (ownsFiles(now)) await removeFiles(platform, control, deployment, now);
  };
}

/** Requeues an interrupted build, or fails it when it was started too often. */
export async function requeueBuild(platform: Platform, control: ControlPlane, revision: StoredRevision): Promise<void> {
  const found = await findBuild(control, revision);
  if (!found || found.now.state === "live") return;
  const { now, deployment } = found;
  if (ownsFiles(now)) await removeFiles(platform, control, deployment, now);
  if (now.token < ATTEMPTS) await moveBuild(control, now, "requeue", { steps: [] });
  else {
    const step = now.steps.at(-1)?.step ?? "cloning";
    const message = `The platform stopped ${ATTEMPTS} times during this build`;
    const problem = { step, message, fix: "Deploy again." };
    await moveBuild(control, now, "fail", { problem, ended_at: timeOf(platform) });
  }
  control.emitChange(deployment.name);
}

/**
 * Reads the revision anew, because a failed write may have been committed. Undefined when the revision does not belong
 * to this build any more.
 */
async function findBuild(
  control: ControlPlane,
  { deployment_id, number, token }: StoredRevision,
): Promise<{ now: StoredRevision; deployment: StoredDeployment } | undefined> {
  const now = await control.revisions.get(deployment_id, number);
  if (now?.token !== token || !(isBuilding(now.state) || now.state === "live")) return undefined;
  const deployment = await control.deployments.byId(deployment_id);
  return deployment && { now, deployment };
}

async function moveBuild(
  control: ControlPlane,
  revision: StoredRevision,
  event: Extract<RevisionEvent, "fail" | "cancel" | "requeue">,
  change: RevisionChange,
): Promise<void> {
  const to = nextRevisionState(revision.state, event);
  if (to === null) throw new Error(`revision ${revision.number} is ${revision.state}: it takes no "${event}"`);
  const removed = ownsFiles(revision) && { build_of: null };
  await control.revisions.move(revision, revision.state, to, { ...change, ...removed });
}

/** Returns whether the build made the files itself. The files of another revision's build stay when this build ends. */
function ownsFiles({ build_of, number }: StoredRevision): boolean {
  return build_of === null || build_of === number;
}

async function removeFiles(
  { logger }: Platform,
  { buildTools }: ControlPlane,
  { deployment_id, name }: StoredDeployment,
  { number }: StoredRevision,
): Promise<void> {
  try {
    await buildTools.remove({ deployment_id, name, number });
  } catch (error) {
    logger.error(`the files of revision ${number} of ${name} could not be removed`, error);
  }
}

function logEnd(build: ActiveBuild, event: "fail" | "cancel" | "requeue", problem: RevisionProblem | null): void {
  const step = build.revision.steps.at(-1)?.step;
  if (problem) logBuild(build, { stream: "err", text: `${problemTitle(problem)}: ${problem.message}` }, step);
  else
    logBuild(build, {
      stream: "us",
      text: event === "cancel" ? "Cancelled" : "The platform stops; the build is repeated later",
    });
}

function eventOf({ aborted, reason }: AbortSignal): "fail" | "cancel" | "requeue" {
  if (!aborted) return "fail";
  const why: unknown = reason;
  return why === ("stopping" satisfies AbortReason) ? "requeue" : "cancel";
}

function problemOf(thrown: unknown, step: RevisionProblem["step"] = "live"): RevisionProblem {
  if (thrown instanceof BuildProblem) return thrown.problem;
  return { step, ...platformFailure };
}
