import { bind } from "@/app/(api)/bind.ts";
import { create } from "@/lib/http/threads.ts";
import { operations } from "@/lib/protocol/operations.ts";

export const POST = bind(operations.createThread, create);
export { preflight as OPTIONS } from "@/app/(api)/bind.ts";
