import type { DeploymentCreate, DeploymentPatch, DeploymentRecord, SettingsPatch } from "../../protocol/control.ts";
import { Fault } from "../../protocol/faults.ts";
import { nextRevisionState, revisionTransitions } from "../../rules/revisions/state.ts";
import { DEFAULT_DEPLOYMENT } from "../../protocol/names.ts";
import { DEFAULT_QUOTAS } from "../../rules/workers/quotas.ts";
import type { DeploymentChange, DeploymentSettings, StoredDeployment } from "../ports/builds.ts";
import type { ControlPlane } from "../ports/control.ts";
import { type AbortReason, timeOf } from "./build-step.ts";
import { lookUntil } from "./look-until.ts";
import { admitCode } from "./isolation.ts";
import { serverLogName } from "./logs.ts";
import { statusNow } from "../deployments.ts";
import type { Platform } from "../ports/ports.ts";
import { shownRevision, untilNoneBuilt } from "./revisions.ts";
import { serveLive } from "./serve-live.ts";
import { readServers } from "./server-reports.ts";
import { settleSource } from "./settle-source.ts";
import { type EnvironmentChange, openCredentials, sealCredentials, sealVariables } from "./variables.ts";

const SETTINGS: DeploymentSettings = {
  install_scripts: false,
  child_processes: false,
  addons: false,
  memory_mb: 512,
  ...DEFAULT_QUOTAS,
  auto_deploy: true,
};

/** Returns a deployment. Faults: `not_found`. */
export async function getDeployment(control: ControlPlane, name: string): Promise<StoredDeployment> {
  const deployment = await control.deployments.get(name);
  if (!deployment) throw new Fault("not_found", `No deployment named "${name}"`);
  return deployment;
}

export function listDeployments({ deployments }: ControlPlane): Promise<StoredDeployment[]> {
  return deployments.list();
}

/**
 * Creates a deployment and queues its first revision. Faults: `conflict` when the name is taken, `forbidden` for code
 * that this server cannot isolate.
 */
export async function createDeployment(
  platform: Platform,
  control: ControlPlane,
  { name, source: given, credentials, settings = {} }: DeploymentCreate,
  environment: EnvironmentChange,
): Promise<StoredDeployment> {
  const now = timeOf(platform);
  admitCode(control, { source: given, settings: settingsWith(SETTINGS, settings) });
  const source = await settleSource(control, given, credentials ?? undefined);
  const deployment: StoredDeployment = {
    deployment_id: platform.newId(),
    name,
    source,
    settings: settingsWith(SETTINGS, settings),
    wanted: "running",
    live: null,
    created_at: now,
    updated_at: now,
  };
  const first = { trigger: "create" as const, source, build_of: null, created_at: now };
  const secrets = {
    credentials: sealCredentials(control, credentials ?? null),
    variables: sealVariables(platform, control, environment),
  };
  if (!(await control.deployments.insert(deployment, first, secrets))) {
    throw new Fault("conflict", `There is a deployment named "${name}" already: choose another name`);
  }
  control.wake();
  await control.hosting.open(deployment);
  control.emitChange(name);
  return deployment;
}

function settingsWith(before: DeploymentSettings, patch: SettingsPatch): DeploymentSettings {
  const { sleep_after_minutes, package_manager, ...plain } = patch;
  return {
    ...before,
    ...plain,
    ...(sleep_after_minutes !== undefined && { sleep_after_minutes: sleep_after_minutes ?? undefined }),
    ...(package_manager !== undefined && { package_manager: package_manager ?? undefined }),
  };
}

/**
 * Changes the source or the settings, for the next revision. Faults: `not_found`, `forbidden` for code that this server
 * cannot isolate.
 */
export async function updateDeployment(
  platform: Platform,
  control: ControlPlane,
  deployment: StoredDeployment,
  { source: given, credentials, settings }: DeploymentPatch,
  environment?: EnvironmentChange,
): Promise<StoredDeployment> {
  const shown =
    credentials === undefined
      ? (await openCredentials(control, deployment.deployment_id))?.credentials
      : (credentials ?? undefined);
  const source = given && (await settleSource(control, given, shown));
  const change: DeploymentChange = {
    source,
    ...(settings && { settings: settingsWith(deployment.settings, settings) }),
    ...(credentials !== undefined && { credentials: sealCredentials(control, credentials) }),
    ...(environment && { variables: sealVariables(platform, control, environment) }),
  };
  if (source ?? settings) {
    admitCode(control, { source: source ?? deployment.source, settings: change.settings ?? deployment.settings });
  }
  const updated = await control.deployments.update(deployment.name, change, timeOf(platform));
  if (!updated) throw new Fault("not_found", `No deployment named "${deployment.name}"`);
  control.emitChange(deployment.name);
  return updated;
}

/** Starts a deployment that was stopped. Faults: `conflict` when it was never live. */
export async function startDeployment(
  platform: Platform,
  control: ControlPlane,
  { name, live }: StoredDeployment,
): Promise<void> {
  const deployment = await control.deployments.update(name, { wanted: "running" }, timeOf(platform));
  if (!deployment || live === null) {
    throw new Fault("conflict", `Deployment "${name}" has no revision that could be started: deploy it first`);
  }
  await serveLive(platform, control, deployment);
  control.emitChange(name);
}

/** Stops the deployment's code and its builds. Requests are refused until it is started again. */
export async function stopDeployment(
  platform: Platform,
  control: ControlPlane,
  { name, deployment_id }: StoredDeployment,
): Promise<void> {
  await control.deployments.update(name, { wanted: "stopped" }, timeOf(platform));
  await cancelBuilds(platform, control, deployment_id);
  await control.hosting.stop(name, "This deployment was stopped");
  // The deployment is read again, because a build may have gone live before it could be cancelled.
  const deployment = await control.deployments.get(name);
  if (deployment) await markStopped(control, deployment);
  control.emitChange(name);
}

/** Moves the live revision of a stopped deployment to `stopped`. */
export async function markStopped(
  { revisions }: ControlPlane,
  { deployment_id, live }: StoredDeployment,
): Promise<void> {
  const revision = live === null ? undefined : await revisions.get(deployment_id, live);
  const stopped = revision ? nextRevisionState(revision.state, "stop") : null;
  if (revision && stopped) await revisions.move(revision, revision.state, stopped, {});
}

/**
 * Deletes a deployment with its database, builds, logs and secrets. The name is free when all of that is gone. Faults:
 * `conflict` for the default deployment.
 */
export async function deleteDeployment(
  platform: Platform,
  control: ControlPlane,
  { name, deployment_id }: StoredDeployment,
): Promise<void> {
  if (name === DEFAULT_DEPLOYMENT)
    throw new Fault("conflict", "The default deployment is the server's own: it can be stopped");
  await control.deployments.update(name, { wanted: "deleted" }, timeOf(platform));
  control.emitChange(name);
  await cancelBuilds(platform, control, deployment_id);
  await untilClosed(control, name);
  await control.hosting.remove(name);
  await control.buildTools.removeAll({ deployment_id, name });
  await control.lines.delete(serverLogName({ deployment_id }));
  await control.deployments.delete(name);
  control.emitChange(name);
}

/** Cancels the builds of a deployment. Resolves when none of them waits or runs. */
async function cancelBuilds(platform: Platform, control: ControlPlane, deployment_id: string): Promise<void> {
  const [newest] = await control.revisions.list(deployment_id, { limit: 1 });
  if (newest?.state === "queued") {
    await control.revisions.move(newest, "queued", revisionTransitions.queued.cancel, { ended_at: timeOf(platform) });
  }
  for (const [build, { abort, ended }] of control.building) {
    if (!build.startsWith(`${deployment_id}/`)) continue;
    abort.abort("cancelled" satisfies AbortReason);
    await ended;
  }
  // Other servers abort the builds of deployments that are not to run.
  control.tellOthers();
  await untilNoneBuilt(control, deployment_id);
}

/** The longest time that other servers are waited for until they have closed a deployment, in ms. */
const CLOSE_MS = 15_000;

/** Waits until no other server has a deployment open, which ends its runs there. */
async function untilClosed({ lease, hosting, tellOthers }: ControlPlane, name: string): Promise<void> {
  if (!lease) return;
  await hosting.close(name);
  tellOthers();
  const isClosed = async (): Promise<boolean> =>
    (await lease.servers()).every(({ id, deployments }) => id === lease.id() || deployments[name] === undefined);
  await lookUntil(isClosed, CLOSE_MS);
}

/** Returns what callers see of a deployment, except for its address. */
export async function shownDeployment(
  platform: Platform,
  control: ControlPlane,
  deployment: StoredDeployment,
): Promise<Omit<DeploymentRecord, "api_url">> {
  const { deployment_id, name, source, settings, wanted, live, created_at, updated_at } = deployment;
  const [newest] = await control.revisions.list(deployment_id, { limit: 1 });
  const served = platform.find(name);
  const servers = await readServers(control, name);
  return {
    name,
    status: served ? statusNow(served, { wanted, live, newest, servers }) : "deleting",
    source,
    settings: {
      ...settings,
      sleep_after_minutes: settings.sleep_after_minutes ?? null,
      package_manager: settings.package_manager ?? null,
    },
    has_credentials: (await control.variables.credentials(deployment_id)) !== undefined,
    has_hook: (await control.variables.hook(deployment_id)) !== undefined,
    live,
    newest: newest ? await shownRevision(control, deployment, newest) : null,
    servers,
    created_at,
    updated_at,
  };
}
