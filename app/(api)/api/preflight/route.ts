import { bindControl } from "#app/(api)/bind.ts";
import { preflight } from "#lib/http/control/sources.ts";
import { controlOperations } from "#lib/protocol/operations/control.ts";

export const POST = bindControl(controlOperations.preflight, preflight);
