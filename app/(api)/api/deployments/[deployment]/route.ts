import { bindControl } from "@/app/(api)/bind.ts";
import * as deployments from "@/lib/http/control/deployments.ts";
import { controlOperations } from "@/lib/protocol/operations/control.ts";

export const GET = bindControl(controlOperations.getDeployment, deployments.get);
export const PATCH = bindControl(controlOperations.updateDeployment, deployments.update);
export const DELETE = bindControl(controlOperations.deleteDeployment, deployments.remove);
