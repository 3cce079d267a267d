import { bind } from "@/app/(api)/bind.ts";
import { search } from "@/lib/http/assistants.ts";
import { operations } from "@/lib/protocol/operations.ts";

export const POST = bind(operations.searchAssistants, search);
export { preflight as OPTIONS } from "@/app/(api)/bind.ts";
