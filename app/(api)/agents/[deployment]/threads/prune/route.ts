import { bind } from "@/app/(api)/bind.ts";
import { prune } from "@/lib/http/threads.ts";
import { operations } from "@/lib/protocol/operations.ts";

export const POST = bind(operations.pruneThreads, prune);
export { preflight as OPTIONS } from "@/app/(api)/bind.ts";
