/** What happens when the platform starts: every deployment is opened, and the code of those that serve is started. */
import { DEFAULT } from "./compose-code.ts";
import type { DeploymentSettings, StoredDeployment } from "./engine/ports/builds.ts";
import { recoverDeployments } from "./engine/control/recover.ts";
import type { ControlPlane } from "./engine/ports/control.ts";
import type { Platform } from "./engine/ports/ports.ts";
import { serveLive } from "./engine/control/serve-live.ts";
import type { Environment } from "./env.ts";
import { DEFAULT_QUOTAS } from "./rules/workers/quotas.ts";

/** Deployments whose files are read and whose processes are started at the same time; nobody waits for their code. */
const STARTS = 4;

export async function startDeployments(
  platform: Platform,
  control: ControlPlane,
  environment: Environment,
): Promise<void> {
  await ensureDefault(platform, control, environment);
  const all = await control.deployments.list();
  for (const one of all) {
    await control.hosting.open(one);
    control.changed(one.name);
  }
  await recoverDeployments(platform, control);
  const waiting = [...all];
  const start = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await serveLive(platform, control, next);
  };
  await Promise.all(Array.from({ length: STARTS }, start));
}

/** The application that the server was started for is the deployment called `default`. */
async function ensureDefault(
  { newId, clock }: Platform,
  { deployments, revisions }: ControlPlane,
  { GRAPHLIB_APP: path, GRAPHLIB_WORKER_MEMORY_MB: memory_mb }: Environment,
): Promise<void> {
  const source = { type: "folder" as const, path, in_place: true };
  const now = new Date(clock.now()).toISOString();
  const revision = { trigger: "create" as const, source, build_of: null, created_at: now };
  const known = await deployments.get(DEFAULT);
  if (!known) {
    await deployments.insert({ ...newDefault(newId(), now), source, settings: { ...SETTINGS, memory_mb } }, revision);
    return;
  }
  // One that was given another source keeps it.
  if (known.source.type !== "folder" || known.source.in_place !== true) return;
  const change = { source, settings: { ...known.settings, memory_mb } };
  const isServed = known.live !== null && known.source.path === path;
  if (isServed) await deployments.update(DEFAULT, change, now);
  else await revisions.queue(known.deployment_id, { ...revision, trigger: "manual" }, change);
}

/** Code of the server's own machine and user. */
const SETTINGS: Omit<DeploymentSettings, "memory_mb"> = {
  install_scripts: false,
  child_processes: true,
  addons: true,
  ...DEFAULT_QUOTAS,
  auto_deploy: false,
};

function newDefault(deployment_id: string, now: string): Omit<StoredDeployment, "source" | "settings"> {
  return { deployment_id, name: DEFAULT, wanted: "running", live: null, created_at: now, updated_at: now };
}
