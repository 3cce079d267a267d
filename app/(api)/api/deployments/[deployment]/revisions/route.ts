import { bindControl } from "#app/(api)/bind.ts";
import { createRevision, listRevisions } from "#lib/http/control/revisions.ts";
import { controlOperations } from "#lib/protocol/operations/control.ts";

export const GET = bindControl(controlOperations.listRevisions, listRevisions);
export const POST = bindControl(controlOperations.createRevision, createRevision);
