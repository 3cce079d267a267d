import { bind } from "#app/(api)/bind.ts";
import { listAssistantVersions } from "#lib/http/assistants.ts";
import { operations } from "#lib/protocol/operations.ts";

export const POST = bind(operations.listAssistantVersions, listAssistantVersions);
export { preflight as OPTIONS } from "#app/(api)/bind.ts";
