import { bindControl } from "#app/(api)/bind.ts";
import { upload } from "#lib/http/control/sources.ts";
import { controlOperations } from "#lib/protocol/operations/control.ts";

export const PUT = bindControl(controlOperations.upload, upload);
