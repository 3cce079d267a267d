import { bind } from "@/app/(api)/bind.ts";
import { deleteRun, readRun } from "@/lib/http/runs.ts";
import { operations } from "@/lib/protocol/operations.ts";

export const GET = bind(operations.getThreadRun, readRun);
export const DELETE = bind(operations.deleteThreadRun, deleteRun);
export { preflight as OPTIONS } from "@/app/(api)/bind.ts";
