/** Follows what other servers of the same database have changed of deployments. */
import type { ControlPlane } from "../ports/control.ts";
import type { Platform } from "../ports/ports.ts";
import { serveLive } from "./serve-live.ts";

/** Returns a function that compares the deployments with those at the last call, and does here what has changed. */
export function followsOthers(platform: Platform, control: ControlPlane): () => Promise<void> {
  const known = new Map<string, string>();
  return async () => {
    const now = await control.deployments.fingerprints();
    for (const { name } of platform.list()) if (!now.has(name)) await control.hosting.close(name);
    for (const name of known.keys()) if (!now.has(name)) known.delete(name);
    for (const [name, fingerprint] of now) {
      if (known.get(name) === fingerprint) continue;
      if (await follow(platform, control, name)) known.set(name, fingerprint);
    }
  };
}

/** Serves what is to be served. Returns false while this server builds the deployment itself. */
async function follow(platform: Platform, control: ControlPlane, name: string): Promise<boolean> {
  const { deployments, hosting, building } = control;
  const stored = await deployments.get(name);
  if (!stored) return false;
  if (stored.wanted === "deleted") {
    // Its database is removed by the server that deletes it.
    if (platform.find(name)) await hosting.close(name);
    return true;
  }
  await hosting.open(stored);
  // The end of the build decides what this server serves.
  if ([...building.keys()].some((build) => build.startsWith(`${stored.deployment_id}/`))) return false;
  const serving = hosting.serving(name);
  if (stored.wanted === "stopped" && serving !== undefined) await hosting.stop(name, "This deployment was stopped");
  if (stored.wanted === "running" && stored.live !== null && stored.live !== serving) {
    await serveLive(platform, control, stored);
  }
  control.noteChange(name);
  return true;
}
