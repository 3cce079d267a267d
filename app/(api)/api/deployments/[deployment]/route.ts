import { bindControl } from "#app/(api)/bind.ts";
import { deleteDeployment, getDeployment, updateDeployment } from "#lib/http/control/deployments.ts";
import { controlOperations } from "#lib/protocol/operations/control.ts";

export const GET = bindControl(controlOperations.getDeployment, getDeployment);
export const PATCH = bindControl(controlOperations.updateDeployment, updateDeployment);
export const DELETE = bindControl(controlOperations.deleteDeployment, deleteDeployment);
