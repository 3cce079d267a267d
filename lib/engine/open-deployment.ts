/** An open deployment: its fixed parts, and the state that changes with the code that it serves. */
import { assistantIdOf } from "../rules/uuid.ts";
import { announceChanges } from "./a2a/announced-tasks.ts";
import { createTaskFeeds } from "./a2a/task-feeds.ts";
import type { DueEvents } from "./deployment-loops.ts";
import { createIdentityCache, type IdentityCache } from "./identity-cache.ts";
import type { HostedCode } from "./ports/app-code.ts";
import type { DeploymentLifecycle } from "./ports/deployment-lifecycle.ts";
import type { Deployment, Platform } from "./ports/ports.ts";

/** The parts of a deployment that change while it is open. */
export interface DeploymentState {
  lifecycle: DeploymentLifecycle;
  code: HostedCode;
  systemAssistants: ReadonlyMap<string, string>;
  identityCache: IdentityCache;
}

/** Returns the part of the state that follows from the code. */
export function stateOf(
  { clock, sha1 }: Pick<Platform, "clock" | "sha1">,
  code: HostedCode,
): Omit<DeploymentState, "lifecycle"> {
  const graphs = Object.keys(code.config?.graphs ?? {});
  return {
    code,
    systemAssistants: new Map(graphs.map((graph) => [graph, assistantIdOf(graph, sha1)])),
    identityCache: createIdentityCache(code.config?.auth?.cache, clock),
  };
}

type Stores = Pick<
  Deployment,
  | "assistants"
  | "runs"
  | "tasks"
  | "threads"
  | "checkpoints"
  | "items"
  | "crons"
  | "webhooks"
  | "pushConfigs"
  | "notifications"
>;

export interface DeploymentParts extends Pick<Deployment, "name" | "log" | "worker" | "pass"> {
  stores: Stores;
  state: DeploymentState;
  due: DueEvents;
  /** The operator allows callers to register addresses for push notifications. */
  allowPush: boolean;
}

/** Makes a deployment of its parts. Its getters read the state at each access. */
export function deploymentOf(
  platform: Platform,
  { name, stores, log, worker, pass, state, due, allowPush }: DeploymentParts,
): Deployment {
  const announced = announceChanges(stores, log);
  const pushDue = due.pushes.emit;
  const isPushing = (): boolean => allowPush && state.code.config?.http.a2a?.push_notifications === true;
  const taskFeeds = createTaskFeeds(platform, {
    log,
    runs: stores.runs,
    tasks: announced.tasks,
    pushDue,
    get pushEnabled() {
      return isPushing();
    },
  });
  return {
    name,
    get lifecycle() {
      return state.lifecycle;
    },
    get config() {
      return state.code.config;
    },
    get problem() {
      return state.code.problem;
    },
    get unfenced() {
      return state.code.unfenced;
    },
    get systemAssistants() {
      return state.systemAssistants;
    },
    get identityCache() {
      return state.identityCache;
    },
    get outgoing() {
      return state.code.outgoing;
    },
    get pushOutgoing() {
      return state.code.pushOutgoing;
    },
    get pushEnabled() {
      return isPushing();
    },
    ...stores,
    ...announced,
    taskFeeds,
    log,
    worker,
    pass,
    wake: due.runs.emit,
    cronDue: due.crons.emit,
    webhookDue: due.webhooks.emit,
    pushDue,
  };
}
