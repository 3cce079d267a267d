import { bindControl } from "@/app/(api)/bind.ts";
import * as deployments from "@/lib/http/control/deployments.ts";
import { controlOperations } from "@/lib/protocol/operations/control.ts";

export const GET = bindControl(controlOperations.getEnvironment, deployments.environment);
export const PATCH = bindControl(controlOperations.updateEnvironment, deployments.updateEnvironment);
