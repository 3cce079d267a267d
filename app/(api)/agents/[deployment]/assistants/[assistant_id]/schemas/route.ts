import { bind } from "#app/(api)/bind.ts";
import { getAssistantSchemas } from "#lib/http/assistants.ts";
import { operations } from "#lib/protocol/operations.ts";

export const GET = bind(operations.getAssistantSchemas, getAssistantSchemas);
export { preflight as OPTIONS } from "#app/(api)/bind.ts";
