import { bind } from "#app/(api)/bind.ts";
import { getAssistantGraph } from "#lib/http/assistants.ts";
import { operations } from "#lib/protocol/operations.ts";

export const GET = bind(operations.getAssistantGraph, getAssistantGraph);
export { preflight as OPTIONS } from "#app/(api)/bind.ts";
