import { bind } from "@/app/(api)/bind.ts";
import { get, remove, update } from "@/lib/http/assistants.ts";
import { operations } from "@/lib/protocol/operations.ts";

export const GET = bind(operations.getAssistant, get);
export const PATCH = bind(operations.updateAssistant, update);
export const DELETE = bind(operations.deleteAssistant, remove);
export { preflight as OPTIONS } from "@/app/(api)/bind.ts";
