import { bindControl } from "@/app/(api)/bind.ts";
import * as pushes from "@/lib/http/control/pushes.ts";
import { controlOperations } from "@/lib/protocol/operations/control.ts";

export const GET = bindControl(controlOperations.listPushDeliveries, pushes.list);
