import { bind } from "#app/(api)/bind.ts";
import { getAssistantCard } from "#lib/http/agent-card.ts";
import { operations } from "#lib/protocol/operations.ts";

export const GET = bind(operations.getAssistantCard, getAssistantCard);
export { preflight as OPTIONS } from "#app/(api)/bind.ts";
