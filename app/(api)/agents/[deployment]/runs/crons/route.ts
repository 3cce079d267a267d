import { bind } from "@/app/(api)/bind.ts";
import { create } from "@/lib/http/crons.ts";
import { operations } from "@/lib/protocol/operations.ts";

export const POST = bind(operations.createCron, create);
export { preflight as OPTIONS } from "@/app/(api)/bind.ts";
