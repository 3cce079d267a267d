import { DEFAULT_DEPLOYMENT } from "../../protocol/names.ts";
import type { FolderSource, Source } from "../../protocol/sources.ts";
import { isInPlace } from "../../rules/sources/in-place.ts";
import { nextRevisionState } from "../../rules/revisions/state.ts";
import { ensureSystemAssistants } from "../assistants.ts";
import type { StoredDeployment, StoredRevision } from "../ports/builds.ts";
import type { ControlPlane } from "../ports/control.ts";
import { isStepFailure, StepFailure } from "../ports/builds.ts";
import { timeOf } from "./build-step.ts";
import type { Platform } from "../ports/ports.ts";
import { openVariables } from "./variables.ts";

/**
 * Starts the live revision without a build, as after a restart of the platform or a stop of the deployment. A failure
 * is stored as the revision's problem.
 */
export async function serveLive(
  platform: Platform,
  control: ControlPlane,
  deployment: StoredDeployment,
): Promise<void> {
  if (deployment.live === null || deployment.wanted !== "running") return;
  const revision = await control.revisions.get(deployment.deployment_id, deployment.live);
  if (!revision || isElsewhere(revision.source, deployment.source)) return;
  const { name } = deployment;
  try {
    const { folder, root } = await filesOf(control, name, revision);
    const node = revision.report?.node ?? "24";
    const { all, secrets } = await openVariables(control, deployment.deployment_id);
    const { source, number } = revision;
    const build = { deployment, source, number, folder, root, node, variables: all, secrets };
    const opened = platform.find(name);
    if (opened) await ensureSystemAssistants(platform, opened, await control.buildTools.config({ folder, root }));
    await control.hosting.resume(build);
    const next = nextRevisionState(revision.state, revision.state === "stopped" ? "start" : "recover");
    if (next) await control.revisions.move(revision, revision.state, next, { problem: null, ended_at: null });
  } catch (thrown) {
    if (!isStepFailure(thrown)) platform.logger.error(`deployment ${name} could not be started`, thrown);
    const message = isStepFailure(thrown) ? thrown.message : "It could not be started; the server's log says why";
    const problem = { step: "live" as const, message };
    // Other servers may have the files.
    const failed = control.lease ? null : nextRevisionState(revision.state, "fail_to_start");
    if (failed) await control.revisions.move(revision, revision.state, failed, { problem, ended_at: timeOf(platform) });
    await control.hosting.stop(name, message);
  }
  control.emitChange(name);
}

/** Returns whether the revision was served in place from another folder than the present source. */
function isElsewhere(was: Source, is: Source): boolean {
  return isInPlace(was) && (is.type !== "folder" || is.path !== was.path);
}

/**
 * Returns the folder of code that is served in place. Servers that share a database may have their own application in different
 * folders.
 */
export function inPlaceFolder(
  { lease, ownFolder }: Pick<ControlPlane, "lease" | "ownFolder">,
  name: string,
  { path }: FolderSource,
): string {
  return lease && name === DEFAULT_DEPLOYMENT ? ownFolder : path;
}

async function filesOf(
  control: ControlPlane,
  name: string,
  { source, build_of }: StoredRevision,
): Promise<{ folder: string; root?: string }> {
  if (isInPlace(source)) return { folder: inPlaceFolder(control, name, source) };
  if (build_of === null) throw new StepFailure("Its files are gone", { fix: "Deploy its source again." });
  return await control.buildTools.filesOf(name, build_of, source);
}
