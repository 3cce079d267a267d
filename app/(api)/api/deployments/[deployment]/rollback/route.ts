import { bindControl } from "#app/(api)/bind.ts";
import { rollBack } from "#lib/http/control/revisions.ts";
import { controlOperations } from "#lib/protocol/operations/control.ts";

export const POST = bindControl(controlOperations.rollBack, rollBack);
