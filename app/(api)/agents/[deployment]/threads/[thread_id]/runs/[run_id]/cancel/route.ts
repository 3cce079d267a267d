import { bind } from "@/app/(api)/bind.ts";
import { cancel } from "@/lib/http/runs.ts";
import { operations } from "@/lib/protocol/operations.ts";

export const POST = bind(operations.cancelThreadRun, cancel);
export { preflight as OPTIONS } from "@/app/(api)/bind.ts";
