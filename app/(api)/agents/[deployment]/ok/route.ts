import { bind } from "@/app/(api)/bind.ts";
import { ok } from "@/lib/http/system.ts";
import { operations } from "@/lib/protocol/operations.ts";

export const GET = bind(operations.ok, ok);
export { preflight as OPTIONS } from "@/app/(api)/bind.ts";
