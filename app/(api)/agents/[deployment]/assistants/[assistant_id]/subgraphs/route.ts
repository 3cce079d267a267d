import { bind } from "#app/(api)/bind.ts";
import { getAssistantSubgraphs } from "#lib/http/assistants.ts";
import { operations } from "#lib/protocol/operations.ts";

export const GET = bind(operations.getAssistantSubgraphs, getAssistantSubgraphs);
export { preflight as OPTIONS } from "#app/(api)/bind.ts";
