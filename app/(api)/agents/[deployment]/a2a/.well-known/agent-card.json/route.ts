import { bind } from "#app/(api)/bind.ts";
import { hintAgentCard } from "#lib/http/agent-card.ts";
import { operations } from "#lib/protocol/operations.ts";

export const GET = bind(operations.hintAgentCard, hintAgentCard);
export { preflight as OPTIONS } from "#app/(api)/bind.ts";
