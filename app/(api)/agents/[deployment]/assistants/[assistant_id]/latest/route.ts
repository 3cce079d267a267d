import { bind } from "#app/(api)/bind.ts";
import { setLatestAssistant } from "#lib/http/assistants.ts";
import { operations } from "#lib/protocol/operations.ts";

export const POST = bind(operations.setLatestAssistant, setLatestAssistant);
export { preflight as OPTIONS } from "#app/(api)/bind.ts";
