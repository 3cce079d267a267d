import { bind } from "@/app/(api)/bind.ts";
import { count } from "@/lib/http/threads.ts";
import { operations } from "@/lib/protocol/operations.ts";

export const POST = bind(operations.countThreads, count);
export { preflight as OPTIONS } from "@/app/(api)/bind.ts";
