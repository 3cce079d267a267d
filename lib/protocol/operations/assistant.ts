import * as z from "zod";
import { AssistantCreate, AssistantFilter, AssistantPatch, AssistantSearch, VersionSearch } from "../assistants.ts";
import { nullish, QueryBoolean } from "../fields.ts";
import type { Operation } from "./operation.ts";

const assistant = "/assistants/[assistant_id]";
/** Schema of a depth such as `xray=1`. Clients write booleans as words, so digits are never booleans here. */
const Depth = z.string().regex(/^\d+$/, "expected a number from 0").transform(Number);
const GraphQuery = z.object({ xray: z.union([Depth, QueryBoolean]).optional() });
const SubgraphsQuery = z.object({ recurse: QueryBoolean.optional() });
const DeleteQuery = z.object({ delete_threads: QueryBoolean.optional() });
/** The version to make the latest. Some clients send it in the body, others in the query. */
const LatestBody = z.object({ version: nullish(z.int().min(1)) });
const LatestQuery = z.object({ version: z.coerce.number().int().min(1).optional() });

export const assistantOperations = {
  createAssistant: {
    method: "POST",
    path: "/assistants",
    access: "key",
    body: AssistantCreate,
    answer: "json",
    summary: "Create an assistant",
  },
  searchAssistants: {
    method: "POST",
    path: "/assistants/search",
    access: "key",
    body: AssistantSearch,
    answer: "json",
    summary: "Search assistants",
  },
  countAssistants: {
    method: "POST",
    path: "/assistants/count",
    access: "key",
    body: AssistantFilter,
    answer: "json",
    summary: "Count assistants",
  },
  getAssistant: { method: "GET", path: assistant, access: "key", answer: "json", summary: "Get an assistant" },
  updateAssistant: {
    method: "PATCH",
    path: assistant,
    access: "key",
    body: AssistantPatch,
    answer: "json",
    summary: "Change an assistant, which makes a new version of it",
  },
  deleteAssistant: {
    method: "DELETE",
    path: assistant,
    access: "key",
    query: DeleteQuery,
    answer: "json",
    summary: "Delete an assistant with its versions and runs",
  },
  listAssistantVersions: {
    method: "POST",
    path: `${assistant}/versions`,
    access: "key",
    body: VersionSearch,
    answer: "json",
    summary: "List the versions of an assistant, newest first",
  },
  setLatestAssistant: {
    method: "POST",
    path: `${assistant}/latest`,
    access: "key",
    body: LatestBody,
    query: LatestQuery,
    answer: "json",
    summary: "Go back to a version of an assistant",
  },
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
  getAssistantSubgraphs: {
    method: "GET",
    path: `${assistant}/subgraphs`,
    access: "key",
    query: SubgraphsQuery,
    answer: "json",
    summary: "Get the JSON Schemas of the graphs inside of an assistant's graph",
  },
  getAssistantSubgraph: {
    method: "GET",
    path: `${assistant}/subgraphs/[namespace]`,
    access: "key",
    query: SubgraphsQuery,
    answer: "json",
    summary: "Get the JSON Schemas of one graph inside of an assistant's graph",
  },
} as const satisfies Record<string, Operation>;
