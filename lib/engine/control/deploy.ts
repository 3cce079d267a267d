import type { DeploymentCreate, DeploymentPatch, DeploymentRecord, SettingsPatch } from "../../protocol/control.ts";
import { Fault } from "../../protocol/faults.ts";
import { DEFAULT_QUOTAS } from "../../rules/workers/quotas.ts";
import type { DeploymentSettings, StoredDeployment } from "../ports/builds.ts";
import type { ControlPlane } from "../ports/control.ts";
import { type AbortReason, timeOf } from "./build-step.ts";
import { admitCode } from "./held-code.ts";
import { serverLog } from "./build-log.ts";
import { statusNow } from "../deployments.ts";
import type { Platform } from "../ports/ports.ts";
import { shownRevision } from "./revisions.ts";
import { settleSource } from "./settle-source.ts";
import { changeVariables, openCredentials, setCredentials } from "./variables.ts";

/** The deployment that every server has. */
const DEFAULT_NAME = "default";

const SETTINGS: DeploymentSettings = {
  install_scripts: false,
  child_processes: false,
  addons: false,
  memory_mb: 512,
  ...DEFAULT_QUOTAS,
  auto_deploy: true,
};

/**
 * Makes a deployment and queues its first revision. Faults: `conflict` when the name is taken, `forbidden` for code that
 * nothing here would hold.
 */
export async function createDeployment(
  platform: Platform,
  control: ControlPlane,
  { name, source: given, credentials, settings = {} }: DeploymentCreate,
  environment: { set: Readonly<Record<string, string | null>>; plain: readonly string[] },
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
  if (!(await control.deployments.insert(deployment))) {
    throw new Fault("conflict", `There is a deployment named "${name}" already: choose another name`);
  }
  if (credentials) await setCredentials(control, deployment.deployment_id, credentials);
  await changeVariables(platform, control, deployment.deployment_id, environment.set, environment.plain);
  await control.hall.open(deployment);
  const first = { trigger: "create" as const, source, build_of: null, created_at: now };
  await control.revisions.queue(deployment.deployment_id, first);
  control.changed(name);
  control.wake();
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
 * Changes where the code comes from or how it is run: counts from the next revision on. Faults: `not_found`, `forbidden`
 * for code that nothing here would hold.
 */
export async function updateDeployment(
  platform: Platform,
  control: ControlPlane,
  deployment: StoredDeployment,
  { source: given, credentials, settings }: DeploymentPatch,
): Promise<StoredDeployment> {
  const shown =
    credentials === undefined
      ? (await openCredentials(control, deployment.deployment_id))?.credentials
      : (credentials ?? undefined);
  const source = given && (await settleSource(control, given, shown));
  const change = { source, ...(settings && { settings: settingsWith(deployment.settings, settings) }) };
  if (source ?? settings) {
    admitCode(control, { source: source ?? deployment.source, settings: change.settings ?? deployment.settings });
  }
  const updated = await control.deployments.update(deployment.name, change, timeOf(platform));
  if (!updated) throw new Fault("not_found", `No deployment named "${deployment.name}"`);
  if (credentials !== undefined) await setCredentials(control, deployment.deployment_id, credentials);
  control.changed(deployment.name);
  return updated;
}

/** Ends the deployment's code, and what is built for it; requests are refused until it is started again. */
export async function stopDeployment(
  platform: Platform,
  control: ControlPlane,
  { name, deployment_id }: StoredDeployment,
): Promise<void> {
  await control.deployments.update(name, { wanted: "stopped" }, timeOf(platform));
  await cancelBuilds(platform, control, deployment_id);
  await control.hall.stop(name, "This deployment was stopped");
  // Read now: a build may have come to its end before it could be cancelled.
  const live = (await control.deployments.get(name))?.live ?? null;
  const revision = live === null ? undefined : await control.revisions.get(deployment_id, live);
  if (revision) await control.revisions.move(revision, revision.state, "stopped", {});
  control.changed(name);
}

/**
 * Deletes a deployment with its database, its builds, its logs and its secrets; the name is free when all that is gone.
 * Faults: `conflict` for the default one.
 */
export async function deleteDeployment(
  platform: Platform,
  control: ControlPlane,
  { name, deployment_id }: StoredDeployment,
): Promise<void> {
  if (name === DEFAULT_NAME)
    throw new Fault("conflict", "The default deployment is the server's own: it can be stopped");
  await control.deployments.update(name, { wanted: "deleted" }, timeOf(platform));
  control.changed(name);
  await cancelBuilds(platform, control, deployment_id);
  await control.hall.remove(name);
  await control.workshop.removeAll(name);
  await control.lines.delete(serverLog({ deployment_id }));
  await control.deployments.delete(name);
  control.changed(name);
}

/** Resolves when nothing of the deployment waits to be built, or is being built. */
async function cancelBuilds(platform: Platform, control: ControlPlane, deployment_id: string): Promise<void> {
  const [newest] = await control.revisions.list(deployment_id, { limit: 1 });
  if (newest?.state === "queued") {
    await control.revisions.move(newest, "queued", "cancelled", { ended_at: timeOf(platform) });
  }
  for (const [build, { abort, over }] of control.building) {
    if (!build.startsWith(`${deployment_id}/`)) continue;
    abort.abort("cancelled" satisfies AbortReason);
    await over;
  }
}

/** What callers see of a deployment, but for its address. */
export async function shownDeployment(
  platform: Platform,
  control: ControlPlane,
  deployment: StoredDeployment,
): Promise<Omit<DeploymentRecord, "api_url">> {
  const { deployment_id, name, source, settings, wanted, live, created_at, updated_at } = deployment;
  const [newest] = await control.revisions.list(deployment_id, { limit: 1 });
  const served = platform.find(name);
  return {
    name,
    status: served ? statusNow(served, { wanted, live, newest }) : "deleting",
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
    created_at,
    updated_at,
  };
}
