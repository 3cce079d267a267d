import { bind } from "@/app/(api)/bind.ts";
import { join } from "@/lib/http/thread-stream.ts";
import { operations } from "@/lib/protocol/operations.ts";

export const GET = bind(operations.joinThread, join);
export { preflight as OPTIONS } from "@/app/(api)/bind.ts";
