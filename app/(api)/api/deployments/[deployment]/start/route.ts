import { bindControl } from "#app/(api)/bind.ts";
import { startDeployment } from "#lib/http/control/deployments.ts";
import { controlOperations } from "#lib/protocol/operations/control.ts";

export const POST = bindControl(controlOperations.startDeployment, startDeployment);
