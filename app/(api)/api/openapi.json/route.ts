import { bindControl } from "#app/(api)/bind.ts";
import { openapi } from "#lib/http/control/openapi.ts";
import { controlOperations } from "#lib/protocol/operations/control.ts";

export const GET = bindControl(controlOperations.openapi, openapi);
