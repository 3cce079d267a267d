import { bindControl } from "#app/(api)/bind.ts";
import { getRevision } from "#lib/http/control/revisions.ts";
import { controlOperations } from "#lib/protocol/operations/control.ts";

export const GET = bindControl(controlOperations.getRevision, getRevision);
