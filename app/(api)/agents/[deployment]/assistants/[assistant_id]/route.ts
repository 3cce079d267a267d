import { bind } from "@/app/(api)/bind.ts";
import { get } from "@/lib/http/assistants.ts";
import { operations } from "@/lib/protocol/operations.ts";

export const GET = bind(operations.getAssistant, get);
export { preflight as OPTIONS } from "@/lib/http/cors.ts";
