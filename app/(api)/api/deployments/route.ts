import { bindControl } from "#app/(api)/bind.ts";
import { createDeployment, listDeployments } from "#lib/http/control/deployments.ts";
import { controlOperations } from "#lib/protocol/operations/control.ts";

export const GET = bindControl(controlOperations.listDeployments, listDeployments);
export const POST = bindControl(controlOperations.createDeployment, createDeployment);
