import { bind } from "@/app/(api)/bind.ts";
import { awaitRun } from "@/lib/http/runs.ts";
import { operations } from "@/lib/protocol/operations.ts";

export const GET = bind(operations.awaitThreadRun, awaitRun);
export { preflight as OPTIONS } from "@/app/(api)/bind.ts";
