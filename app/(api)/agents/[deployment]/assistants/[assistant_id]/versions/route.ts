import { bind } from "@/app/(api)/bind.ts";
import { versions } from "@/lib/http/assistants.ts";
import { operations } from "@/lib/protocol/operations.ts";

export const POST = bind(operations.listAssistantVersions, versions);
export { preflight as OPTIONS } from "@/app/(api)/bind.ts";
