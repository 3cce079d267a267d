import { bindControl } from "@/app/(api)/bind.ts";
import * as hooks from "@/lib/http/control/hooks.ts";
import { controlOperations } from "@/lib/protocol/operations/control.ts";

export const POST = bindControl(controlOperations.push, hooks.push);
