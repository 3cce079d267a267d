import { bind } from "#app/(api)/bind.ts";
import { getCardKeys } from "#lib/http/agent-card.ts";
import { operations } from "#lib/protocol/operations.ts";

export const GET = bind(operations.getCardKeys, getCardKeys);
export { preflight as OPTIONS } from "#app/(api)/bind.ts";
