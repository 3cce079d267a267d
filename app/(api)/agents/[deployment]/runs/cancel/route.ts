import { bind } from "@/app/(api)/bind.ts";
import { cancelMany } from "@/lib/http/runs.ts";
import { operations } from "@/lib/protocol/operations.ts";

export const POST = bind(operations.cancelRuns, cancelMany);
export { preflight as OPTIONS } from "@/app/(api)/bind.ts";
