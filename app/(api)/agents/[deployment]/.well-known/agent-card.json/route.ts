import { bind } from "#app/(api)/bind.ts";
import { getAgentCard } from "#lib/http/agent-card.ts";
import { operations } from "#lib/protocol/operations.ts";

export const GET = bind(operations.getAgentCard, getAgentCard);
export { preflight as OPTIONS } from "#app/(api)/bind.ts";
