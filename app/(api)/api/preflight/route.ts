import { bindControl } from "@/app/(api)/bind.ts";
import * as sources from "@/lib/http/control/sources.ts";
import { controlOperations } from "@/lib/protocol/operations/control.ts";

export const POST = bindControl(controlOperations.preflight, sources.preflight);
