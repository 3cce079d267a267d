import type { Socket } from "node:net";
import type { ControlPlane } from "./engine/ports/control.ts";
import type { Platform } from "./engine/ports/ports.ts";
import type { Readiness } from "./protocol/readiness.ts";
import type { HttpSettings } from "./http/settings.ts";

/** The running platform of this process. */
export interface Running {
  platform: Platform;
  control: ControlPlane;
  settings: HttpSettings;
  /** The path and query that open the console; absent if it needs none. */
  consoleLink?: string;
  /** Sets the address where this server answers. Applications use it, and webhooks whose URL is only a path. */
  listening(origin: string): void;
  /** Resolves to whether the peer of a connection is code of a deployment, which may call deployments only. */
  isDeployment(peer: Pick<Socket, "localAddress" | "localPort" | "remoteAddress" | "remotePort">): Promise<boolean>;
  /** Says whether this server can take requests. Never rejects. */
  readiness(): Promise<Readiness>;
  /** Begins no more runs and builds, and is not ready for requests any more. */
  drain(): void;
  /** Lets runs finish within the grace period. Returns a function that closes the databases, once no request needs them. */
  stop(): Promise<() => Promise<void>>;
}

/** Next loads several copies of a module (boot, routes, pages), so the only instance is a member of `globalThis`. */
interface PlatformGlobals {
  [STARTING]?: Promise<Running>;
  [RUNNING]?: Running;
}
const STARTING = Symbol.for("graphlib.platform.starting");
const RUNNING = Symbol.for("graphlib.platform");
const globals = globalThis as typeof globalThis & PlatformGlobals;

/** Starts the platform unless this process has one already. */
export async function startOnce(compose: () => Promise<Running>): Promise<Running> {
  globals[STARTING] ??= compose();
  const started = await globals[STARTING];
  globals[RUNNING] = started;
  return started;
}

/** Returns whether this process has started its platform, or is about to. */
export const isStarted = (): boolean => globals[STARTING] !== undefined;

/** Returns the running platform. Throws before it has been started. */
export function running(): Running {
  if (!globals[RUNNING]) throw new Error("the platform has not been started");
  return globals[RUNNING];
}

export const platform = (): Platform => running().platform;
