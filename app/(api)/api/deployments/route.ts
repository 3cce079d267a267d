import { bindControl } from "@/app/(api)/bind.ts";
import * as deployments from "@/lib/http/control/deployments.ts";
import { controlOperations } from "@/lib/protocol/operations/control.ts";

export const GET = bindControl(controlOperations.listDeployments, deployments.list);
export const POST = bindControl(controlOperations.createDeployment, deployments.create);
