import { bind } from "@/app/(api)/bind.ts";
import { count } from "@/lib/http/crons.ts";
import { operations } from "@/lib/protocol/operations.ts";

export const POST = bind(operations.countCrons, count);
export { preflight as OPTIONS } from "@/app/(api)/bind.ts";
