import { bind } from "#app/(api)/bind.ts";
import { deleteAssistant, getAssistant, updateAssistant } from "#lib/http/assistants.ts";
import { operations } from "#lib/protocol/operations.ts";

export const GET = bind(operations.getAssistant, getAssistant);
export const PATCH = bind(operations.updateAssistant, updateAssistant);
export const DELETE = bind(operations.deleteAssistant, deleteAssistant);
export { preflight as OPTIONS } from "#app/(api)/bind.ts";
