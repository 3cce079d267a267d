/** Follows what other servers of the same database have changed of deployments. */
import { buildSteps } from "../../protocol/build-steps.ts";
import type { ControlPlane } from "../ports/control.ts";
import type { Platform } from "../ports/ports.ts";
import { type AbortReason, buildName } from "./build-step.ts";
import { serveLive } from "./serve-live.ts";

/** The pause before code that this server could not bring or start is tried again, in ms. */
const RETRY_MS = 60_000;

type Outcome = "done" | "building" | "failed";

/**
 * Returns a function that compares the deployments with those at the last call, and begins to do here what has changed. One
 * deployment does not wait for another.
 */
export function followsOthers(platform: Platform, control: ControlPlane): () => Promise<void> {
  const known = new Map<string, string>();
  /** When a deployment is looked at again although it has not changed. */
  const again = new Map<string, number>();
  const working = new Set<string>();
  const begin = async (name: string): Promise<void> => {
    working.add(name);
    const outcome = await follow(platform, control, name).catch((error: unknown): Outcome => {
      platform.logger.error(`changes of deployment ${name} could not be followed`, error);
      return "failed";
    });
    working.delete(name);
    if (outcome !== "done") again.set(name, platform.clock.now() + (outcome === "failed" ? RETRY_MS : 0));
  };
  return async () => {
    const now = await control.deployments.fingerprints();
    await abortBuilds(control);
    for (const { name } of platform.list()) if (!now.has(name)) await control.hosting.close(name);
    for (const name of [...known.keys(), ...again.keys()]) {
      if (now.has(name)) continue;
      known.delete(name);
      again.delete(name);
    }
    for (const [name, fingerprint] of now) {
      const isDue = (again.get(name) ?? Infinity) <= platform.clock.now();
      if (working.has(name) || (known.get(name) === fingerprint && !isDue)) continue;
      known.set(name, fingerprint);
      again.delete(name);
      void begin(name);
    }
  };
}

/** Serves what is to be served. */
async function follow(platform: Platform, control: ControlPlane, name: string): Promise<Outcome> {
  const { deployments, hosting, building } = control;
  const stored = await deployments.get(name);
  if (!stored) return "done";
  if (stored.wanted === "deleted") {
    // Its database is removed by the server that deletes it.
    if (platform.find(name)) await hosting.close(name);
    return "done";
  }
  await hosting.open(stored);
  // The end of the build decides what this server serves.
  if ([...building.keys()].some((build) => build.startsWith(`${stored.deployment_id}/`))) return "building";
  const serving = hosting.serving(name);
  if (stored.wanted === "running" && (stored.live ?? undefined) !== serving) {
    return (await serveLive(platform, control, stored)) ? "done" : "failed";
  }
  if (stored.wanted === "stopped" && serving !== undefined) await hosting.stop(name, "This deployment was stopped");
  control.troubles.delete(name);
  control.noteChange(name);
  return "done";
}

/** Aborts the builds of this server that another one has cancelled, and those of deployments that are not to run. */
async function abortBuilds({ building, revisions, deployments }: ControlPlane): Promise<void> {
  if (building.size === 0) return;
  for (const revision of await revisions.inState(buildSteps)) {
    const underway = building.get(buildName(revision));
    if (!underway) continue;
    const deployment = await deployments.byId(revision.deployment_id);
    if (revision.cancelling || deployment?.wanted !== "running")
      underway.abort.abort("cancelled" satisfies AbortReason);
  }
}
