import { bind } from "#app/(api)/bind.ts";
import { createAssistant } from "#lib/http/assistants.ts";
import { operations } from "#lib/protocol/operations.ts";

export const POST = bind(operations.createAssistant, createAssistant);
export { preflight as OPTIONS } from "#app/(api)/bind.ts";
