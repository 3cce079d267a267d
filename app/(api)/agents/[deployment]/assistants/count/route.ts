import { bind } from "#app/(api)/bind.ts";
import { countAssistants } from "#lib/http/assistants.ts";
import { operations } from "#lib/protocol/operations.ts";

export const POST = bind(operations.countAssistants, countAssistants);
export { preflight as OPTIONS } from "#app/(api)/bind.ts";
