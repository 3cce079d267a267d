import { bindControl } from "#app/(api)/bind.ts";
import { serverLog } from "#lib/http/control/logs.ts";
import { controlOperations } from "#lib/protocol/operations/control.ts";

export const GET = bindControl(controlOperations.serverLog, serverLog);
