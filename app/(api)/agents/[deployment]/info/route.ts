import { bind } from "@/app/(api)/bind.ts";
import { info } from "@/lib/http/system.ts";
import { operations } from "@/lib/protocol/operations.ts";

export const GET = bind(operations.info, info);
export { preflight as OPTIONS } from "@/app/(api)/bind.ts";
