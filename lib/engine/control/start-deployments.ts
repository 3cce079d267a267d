import type { ControlPlane } from "../ports/control.ts";
import type { Platform } from "../ports/ports.ts";
import { ensureDefault, type OwnApplication } from "./default-deployment.ts";
import { recoverDeployments } from "./recover.ts";
import { isInPlace } from "../../rules/sources/in-place.ts";
import { serveLive } from "./serve-live.ts";

/** The number of deployments started at the same time. A start does not wait for the code to load. */
const STARTS = 4;

/** Opens all deployments when the platform starts, and starts the code of those that are to run. */
export async function startDeployments(
  platform: Platform,
  control: ControlPlane,
  application: OwnApplication,
): Promise<void> {
  await ensureDefault(platform, control, application);
  const all = await control.deployments.list();
  for (const one of all) {
    await control.hosting.open(one);
    control.emitChange(one.name);
  }
  await recoverDeployments(platform, control);
  // Servers that share deployments bring what they serve once they answer.
  const waiting = control.lease ? all.filter(({ source }) => isInPlace(source)) : [...all];
  const start = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await serveLive(platform, control, next);
  };
  await Promise.all(Array.from({ length: STARTS }, start));
}
