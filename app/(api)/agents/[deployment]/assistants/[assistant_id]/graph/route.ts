import { bind } from "@/app/(api)/bind.ts";
import { graph } from "@/lib/http/assistants.ts";
import { operations } from "@/lib/protocol/operations.ts";

export const GET = bind(operations.getAssistantGraph, graph);
export { preflight as OPTIONS } from "@/app/(api)/bind.ts";
