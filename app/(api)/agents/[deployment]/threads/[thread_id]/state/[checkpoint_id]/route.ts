import { bind } from "@/app/(api)/bind.ts";
import { getById } from "@/lib/http/thread-state.ts";
import { operations } from "@/lib/protocol/operations.ts";

export const GET = bind(operations.getThreadStateById, getById);
export { preflight as OPTIONS } from "@/app/(api)/bind.ts";
