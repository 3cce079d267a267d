import { bind } from "@/app/(api)/bind.ts";
import { history, listHistory } from "@/lib/http/thread-state.ts";
import { operations } from "@/lib/protocol/operations.ts";

export const GET = bind(operations.listThreadHistory, listHistory);
export const POST = bind(operations.getThreadHistory, history);
export { preflight as OPTIONS } from "@/app/(api)/bind.ts";
