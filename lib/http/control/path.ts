/** Finds the deployment and the revision that the path of a call names. */
import { getDeployment } from "../../engine/control/deployments.ts";
import { getRevision } from "../../engine/control/revisions.ts";
import type { StoredDeployment, StoredRevision } from "../../engine/ports/builds.ts";
import { Fault } from "../../protocol/faults.ts";
import type { ControlCall } from "./endpoint.ts";

type NamedCall = Pick<ControlCall, "control" | "params">;

/** Faults: `not_found`. */
export function deploymentOf({ control, params }: NamedCall): Promise<StoredDeployment> {
  return getDeployment(control, params.deployment ?? "");
}

/** Faults: `not_found`. */
export async function revisionOf(call: NamedCall): Promise<StoredRevision> {
  const deployment = await deploymentOf(call);
  const number = Number(call.params.revision);
  if (!Number.isSafeInteger(number)) throw new Fault("not_found", `No revision "${call.params.revision ?? ""}"`);
  return await getRevision(call.control, deployment, number);
}
