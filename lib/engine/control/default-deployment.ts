import { DEFAULT_DEPLOYMENT } from "../../protocol/names.ts";
import { isUnderway } from "../../rules/revisions/phases.ts";
import { isInPlace } from "../../rules/sources/in-place.ts";
import { DEFAULT_QUOTAS } from "../../rules/workers/quotas.ts";
import type { DeploymentSettings } from "../ports/builds.ts";
import type { ControlPlane } from "../ports/control.ts";
import type { Platform } from "../ports/ports.ts";
import { timeOf } from "./build-step.ts";

/** The application that the server is started for. */
export interface OwnApplication {
  /** Absolute path of its folder. */
  path: string;
  memory_mb: number;
  /** The number of its processes. */
  workers: number;
}

/** Settings for an application that belongs to the user and the machine of the server. */
const SETTINGS: Omit<DeploymentSettings, "memory_mb"> = {
  install_scripts: false,
  child_processes: true,
  addons: true,
  ...DEFAULT_QUOTAS,
  auto_deploy: false,
};

/**
 * Makes the deployment `default` serve the application that the server is started for, unless that deployment was given
 * another source. Servers that share a database serve it from their own folders.
 */
export async function ensureDefault(
  platform: Platform,
  { deployments, revisions, lease }: Pick<ControlPlane, "deployments" | "revisions" | "lease">,
  { path, ...limits }: OwnApplication,
): Promise<void> {
  const source = { type: "folder" as const, path, in_place: true };
  const now = timeOf(platform);
  const revision = { trigger: "create" as const, source, build_of: null, created_at: now };
  const known = await deployments.get(DEFAULT_DEPLOYMENT);
  if (!known) {
    const named = { deployment_id: platform.newId(), name: DEFAULT_DEPLOYMENT, source };
    const fresh = { wanted: "running" as const, live: null, created_at: now, updated_at: now };
    await deployments.insert({ ...named, ...fresh, settings: { ...SETTINGS, ...limits } }, revision);
    return;
  }
  if (!isInPlace(known.source)) return;
  const settings = { ...known.settings, ...limits };
  const change = lease ? { settings } : { source, settings };
  const isServed = known.live !== null && (lease !== undefined || known.source.path === path);
  const [newest] = lease ? await revisions.list(known.deployment_id, { limit: 1 }) : [];
  // Another server has queued it.
  const isQueued = newest !== undefined && isUnderway(newest.state);
  if (isServed || isQueued) await deployments.update(DEFAULT_DEPLOYMENT, change, now);
  else await revisions.queue(known.deployment_id, { ...revision, trigger: "manual" }, change);
}
