import { bindControl } from "#app/(api)/bind.ts";
import { cancelRevision } from "#lib/http/control/revisions.ts";
import { controlOperations } from "#lib/protocol/operations/control.ts";

export const POST = bindControl(controlOperations.cancelRevision, cancelRevision);
