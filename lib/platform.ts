import type { Socket } from "node:net";
import type { ControlPlane } from "./engine/ports/control.ts";
import type { Platform } from "./engine/ports/ports.ts";
import type { HttpSettings } from "./http/settings.ts";

/** Everything that is alive in this process. */
export interface Running {
  platform: Platform;
  control: ControlPlane;
  settings: HttpSettings;
  /** Path and query that let the console in, where it would be shut out of an application without them. */
  consoleLink?: string;
  /** Says where this server answers itself (`http://127.0.0.1:2024`): webhooks that are paths and the applications go there. */
  listening(origin: string): void;
  /** Whether the other end of a connection is code of a deployment, which may call deployments and nothing else. */
  isDeployment(peer: Pick<Socket, "localAddress" | "localPort" | "remoteAddress" | "remotePort">): Promise<boolean>;
  /** Lets runs finish within the grace period, then closes everything. */
  stop(): Promise<void>;
}

/** Next loads several copies of a module (boot, routes, pages), so what lives once hangs on `globalThis`. */
interface World {
  [STARTING]?: Promise<Running>;
  [RUNNING]?: Running;
}
const STARTING = Symbol.for("graphlib.platform.starting");
const RUNNING = Symbol.for("graphlib.platform");
const world = globalThis as typeof globalThis & World;

/** Starts the platform unless this process has one already. */
export async function startOnce(compose: () => Promise<Running>): Promise<Running> {
  world[STARTING] ??= compose();
  const started = await world[STARTING];
  world[RUNNING] = started;
  return started;
}

/** The platform of this process. Throws before it has been started. */
export function running(): Running {
  if (!world[RUNNING]) throw new Error("the platform has not been started");
  return world[RUNNING];
}

export const platform = (): Platform => running().platform;
