import type { WorkerState } from "../../protocol/deployments.ts";
import { nextRevisionState, type RevisionEvent } from "../../rules/revisions/state.ts";
import type { ControlPlane } from "../ports/control.ts";
import { timeOf } from "./build-step.ts";
import type { Deployment, Platform } from "../ports/ports.ts";

const EVENTS: Record<WorkerState["status"], RevisionEvent | null> = {
  crashed: "crash",
  failed: "give_up",
  ready: "recover",
  starting: null,
  asleep: null,
  stopped: null,
};

/**
 * Stores changes in the health of the live revision: it crashed, recovered, or was given up. A server that shares the deployment
 * with others stores nothing, because its own processes say nothing of theirs.
 */
export async function recordHealth(platform: Platform, control: ControlPlane, deployment: Deployment): Promise<void> {
  if (control.lease) return;
  const { deployment_id, live, wanted } = deployment.lifecycle;
  const worker = deployment.worker.state();
  const event = EVENTS[worker.status];
  if (live === null || wanted !== "running" || event === null) return;
  const revision = await control.revisions.get(deployment_id, live);
  const next = revision ? nextRevisionState(revision.state, event) : null;
  if (!revision || next === null || next === revision.state) return;
  const reason = "reason" in worker ? worker.reason : undefined;
  const problem = reason === undefined ? null : { step: "live" as const, message: reason };
  const ended_at = next === "failed" ? timeOf(platform) : null;
  if (await control.revisions.move(revision, revision.state, next, { problem, ended_at })) {
    control.emitChange(deployment.name);
  }
}
