import { bindControl } from "#app/(api)/bind.ts";
import { getQueue } from "#lib/http/control/queue.ts";
import { controlOperations } from "#lib/protocol/operations/control.ts";

export const GET = bindControl(controlOperations.getQueue, getQueue);
