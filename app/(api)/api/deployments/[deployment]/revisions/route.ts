import { bindControl } from "@/app/(api)/bind.ts";
import * as revisions from "@/lib/http/control/revisions.ts";
import { controlOperations } from "@/lib/protocol/operations/control.ts";

export const GET = bindControl(controlOperations.listRevisions, revisions.list);
export const POST = bindControl(controlOperations.createRevision, revisions.create);
