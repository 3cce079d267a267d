import { bindControl } from "#app/(api)/bind.ts";
import { deploymentEvents } from "#lib/http/control/events.ts";
import { controlOperations } from "#lib/protocol/operations/control.ts";

export const GET = bindControl(controlOperations.deploymentEvents, deploymentEvents);
