import { bind } from "@/app/(api)/bind.ts";
import { latest } from "@/lib/http/assistants.ts";
import { operations } from "@/lib/protocol/operations.ts";

export const POST = bind(operations.setLatestAssistant, latest);
export { preflight as OPTIONS } from "@/app/(api)/bind.ts";
