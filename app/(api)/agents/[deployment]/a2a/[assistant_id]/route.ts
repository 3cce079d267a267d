import { bind, bindPlain } from "#app/(api)/bind.ts";
import { refuseVerb, renderA2aFault, sendA2a } from "#lib/http/a2a/endpoint.ts";
import { getAssistantCard } from "#lib/http/agent-card.ts";
import { operations } from "#lib/protocol/operations.ts";

export const GET = bind(operations.getAgent, getAssistantCard);
export const POST = bind(operations.sendA2a, sendA2a, renderA2aFault);
const refused = bindPlain(refuseVerb);
export { refused as PUT, refused as PATCH, refused as DELETE };
export { preflight as OPTIONS } from "#app/(api)/bind.ts";
