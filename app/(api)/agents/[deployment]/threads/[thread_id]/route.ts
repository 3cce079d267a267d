import { bind } from "@/app/(api)/bind.ts";
import { get, remove, update } from "@/lib/http/threads.ts";
import { operations } from "@/lib/protocol/operations.ts";

export const GET = bind(operations.getThread, get);
export const PATCH = bind(operations.updateThread, update);
export const DELETE = bind(operations.deleteThread, remove);
export { preflight as OPTIONS } from "@/app/(api)/bind.ts";
