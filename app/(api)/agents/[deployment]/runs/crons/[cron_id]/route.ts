import { bind } from "@/app/(api)/bind.ts";
import { remove, update } from "@/lib/http/crons.ts";
import { operations } from "@/lib/protocol/operations.ts";

export const PATCH = bind(operations.updateCron, update);
export const DELETE = bind(operations.deleteCron, remove);
export { preflight as OPTIONS } from "@/app/(api)/bind.ts";
