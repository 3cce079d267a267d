import { DEFAULT_DEPLOYMENT } from "../../protocol/names.ts";
import type { FolderSource, Source } from "../../protocol/sources.ts";
import { isInPlace } from "../../rules/sources/in-place.ts";
import { nextRevisionState } from "../../rules/revisions/state.ts";
import { ensureSystemAssistants } from "../assistants.ts";
import type { BuiltSource } from "../ports/build-tools.ts";
import {
  type FetchedSource,
  isStepFailure,
  silentContext,
  StepFailure,
  type StoredDeployment,
  type StoredRevision,
} from "../ports/builds.ts";
import type { ControlPlane } from "../ports/control.ts";
import type { Platform } from "../ports/ports.ts";
import { timeOf } from "./build-step.ts";
import { requireIsolation } from "./isolation.ts";
import { openVariables } from "./variables.ts";

/** The time limits for bringing the files of another server, and for code that is started beside the code that serves, in ms. */
const BRING_MS = 10 * 60_000;
const START_MS = 2 * 60_000;

/**
 * Starts the live revision without a build: after a restart of the platform or a stop of the deployment, or when another server
 * has built it. A failure is stored as the revision's problem; of servers that share it, each keeps its own. Resolves with whether
 * it serves.
 */
export async function serveLive(
  platform: Platform,
  control: ControlPlane,
  deployment: StoredDeployment,
): Promise<boolean> {
  if (deployment.live === null || deployment.wanted !== "running") return true;
  const revision = await control.revisions.get(deployment.deployment_id, deployment.live);
  if (!revision || isElsewhere(revision.source, deployment.source)) return true;
  const { name } = deployment;
  try {
    await serve(platform, control, deployment, revision);
    control.troubles.delete(name);
    return true;
  } catch (thrown) {
    if (!isStepFailure(thrown)) platform.logger.error(`deployment ${name} could not be started`, thrown);
    const message = isStepFailure(thrown) ? thrown.message : "It could not be started; the server's log says why";
    const fix = isStepFailure(thrown) ? thrown.details.fix : undefined;
    if (control.lease) await noteTrouble(control, name, fix === undefined ? message : `${message}. ${fix}`);
    else await storeFailure(platform, control, revision, name, message);
    return false;
  } finally {
    control.noteChange(name);
  }
}

async function serve(
  platform: Platform,
  control: ControlPlane,
  deployment: StoredDeployment,
  revision: StoredRevision,
): Promise<void> {
  const { name, settings, deployment_id } = deployment;
  const { source, number } = revision;
  // The server that built it may isolate code better than this one, which may have to install packages with their scripts.
  if (control.lease) requireIsolation(control.isolation, { source, settings });
  const { folder, root } = await filesOf(control, deployment, revision);
  const node = revision.report?.node ?? "24";
  const { all, secrets } = await openVariables(control, deployment_id);
  const build = { deployment, source, number, folder, root, node, variables: all, secrets };
  const opened = platform.find(name);
  if (opened) await ensureSystemAssistants(platform, opened, await control.buildTools.config({ folder, root }));
  // Code that serves is replaced when the next has loaded.
  if (control.lease && control.hosting.serving(name) !== undefined) {
    const candidate = await control.hosting.start(build, silentContext(AbortSignal.timeout(START_MS)));
    control.hosting.serve(name, candidate);
  } else await control.hosting.resume(build);
  const next = nextRevisionState(revision.state, revision.state === "stopped" ? "start" : "recover");
  if (next) await control.revisions.move(revision, revision.state, next, { problem: null, ended_at: null });
}

async function storeFailure(
  platform: Platform,
  control: ControlPlane,
  revision: StoredRevision,
  name: string,
  message: string,
): Promise<void> {
  const problem = { step: "live" as const, message };
  const failed = nextRevisionState(revision.state, "fail_to_start");
  if (failed) await control.revisions.move(revision, revision.state, failed, { problem, ended_at: timeOf(platform) });
  await control.hosting.stop(name, message);
}

/** Other servers may serve it. Code of an earlier revision goes on with requests; the runs are left to those. */
async function noteTrouble(control: ControlPlane, name: string, message: string): Promise<void> {
  control.troubles.set(name, message);
  if (control.hosting.serving(name) === undefined) await control.hosting.stop(name, message);
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
  deployment: StoredDeployment,
  revision: StoredRevision,
): Promise<Pick<FetchedSource, "folder"> & Partial<FetchedSource>> {
  const { source, build_of } = revision;
  if (isInPlace(source)) return { folder: inPlaceFolder(control, deployment.name, source) };
  if (build_of === null) throw new StepFailure("Its files are gone", { fix: "Deploy its source again." });
  return await control.buildTools.filesOf(builtSourceOf(deployment, revision, build_of), AbortSignal.timeout(BRING_MS));
}

/** Returns the build that a revision serves, with what is known of its packages. */
export function builtSourceOf(
  { deployment_id, name, settings }: StoredDeployment,
  { source, report, inputs }: Pick<StoredRevision, "source" | "report" | "inputs">,
  number: number,
): BuiltSource {
  const { packages, node = "24" } = report ?? {};
  const how = packages && { packages, node, scripts: settings.install_scripts };
  const key = inputs?.packages ?? undefined;
  return { deployment_id, name, number, source, packages: how && key !== undefined ? { key, how } : null };
}
