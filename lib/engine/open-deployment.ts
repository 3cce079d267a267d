/** An open deployment, and the parts of it that change with the code that it serves. */
import { assistantIdOf } from "../rules/uuid.ts";
import { announceChanges } from "./a2a/announced-tasks.ts";
import { createTaskFeeds } from "./a2a/task-feeds.ts";
import type { DueEvents } from "./deployment-loops.ts";
import { createIdentityCache } from "./identity-cache.ts";
import type { HostedCode } from "./ports/app-code.ts";
import type { DeploymentLifecycle } from "./ports/deployment-lifecycle.ts";
import type { Deployment, DeploymentStores, Platform } from "./ports/ports.ts";

type CodeParts = HostedCode & Pick<Deployment, "systemAssistants" | "identityCache">;

/** A deployment as its owner has it: the parts that change while it is open can be set. */
export type OpenedDeployment = Deployment & CodeParts & { lifecycle: DeploymentLifecycle };

/** Returns the parts of a deployment that follow from its code. */
export function codeParts({ clock, sha1 }: Pick<Platform, "clock" | "sha1">, code: HostedCode): CodeParts {
  const { config, problem, unfenced, outgoing, pushOutgoing } = code;
  const graphs = Object.keys(config?.graphs ?? {});
  return {
    config,
    problem,
    unfenced,
    outgoing,
    pushOutgoing,
    systemAssistants: new Map(graphs.map((graph) => [graph, assistantIdOf(graph, sha1)])),
    identityCache: createIdentityCache(config?.auth?.cache, clock),
  };
}

export interface DeploymentParts extends Pick<
  Deployment,
  "name" | "lifecycle" | "log" | "worker" | "lease" | "peers" | "pass"
> {
  stores: DeploymentStores;
  code: HostedCode;
  due: DueEvents;
  /** The operator allows callers to register addresses for push notifications. */
  allowPush: boolean;
}

/** Makes a deployment of its parts. */
export function assembleDeployment(
  platform: Platform,
  { stores, code, due, allowPush, ...parts }: DeploymentParts,
): OpenedDeployment {
  const deployment = {
    ...parts,
    ...stores,
    ...announceChanges(stores, parts.log),
    ...codeParts(platform, code),
    get pushEnabled(): boolean {
      return allowPush && deployment.config?.http.a2a?.push_notifications === true;
    },
    wake: due.runs.emit,
    cronDue: due.crons.emit,
    webhookDue: due.webhooks.emit,
    pushDue: due.pushes.emit,
  };
  return Object.assign(deployment, { taskFeeds: createTaskFeeds(platform, deployment) });
}
