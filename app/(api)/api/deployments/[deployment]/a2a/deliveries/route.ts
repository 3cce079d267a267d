import { bindControl } from "#app/(api)/bind.ts";
import { listPushDeliveries } from "#lib/http/control/pushes.ts";
import { controlOperations } from "#lib/protocol/operations/control.ts";

export const GET = bindControl(controlOperations.listPushDeliveries, listPushDeliveries);
