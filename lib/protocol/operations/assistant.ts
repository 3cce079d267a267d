import * as z from "zod";
import { AssistantSearch } from "../assistants.ts";
import { QueryBoolean } from "../fields.ts";
import type { Operation } from "./operation.ts";

const assistant = "/assistants/[assistant_id]";
const GraphQuery = z.object({ xray: z.union([QueryBoolean, z.coerce.number().int().min(0)]).optional() });

export const assistantOperations = {
  searchAssistants: {
    method: "POST",
    path: "/assistants/search",
    access: "key",
    body: AssistantSearch,
    answer: "json",
    summary: "Search assistants",
  },
  getAssistant: { method: "GET", path: assistant, access: "key", answer: "json", summary: "Get an assistant" },
  getAssistantGraph: {
    method: "GET",
    path: `${assistant}/graph`,
    access: "key",
    query: GraphQuery,
    answer: "json",
    summary: "Get the drawable structure of an assistant's graph",
  },
  getAssistantSchemas: {
    method: "GET",
    path: `${assistant}/schemas`,
    access: "key",
    answer: "json",
    summary: "Get the JSON Schemas of an assistant's graph",
  },
} as const satisfies Record<string, Operation>;
