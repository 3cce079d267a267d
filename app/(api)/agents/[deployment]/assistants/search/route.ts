import { bind } from "#app/(api)/bind.ts";
import { searchAssistants } from "#lib/http/assistants.ts";
import { operations } from "#lib/protocol/operations.ts";

export const POST = bind(operations.searchAssistants, searchAssistants);
export { preflight as OPTIONS } from "#app/(api)/bind.ts";
