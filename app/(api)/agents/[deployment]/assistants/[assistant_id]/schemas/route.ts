import { bind } from "@/app/(api)/bind.ts";
import { schemas } from "@/lib/http/assistants.ts";
import { operations } from "@/lib/protocol/operations.ts";

export const GET = bind(operations.getAssistantSchemas, schemas);
export { preflight as OPTIONS } from "@/app/(api)/bind.ts";
