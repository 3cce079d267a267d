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
  createAssistant: { method: "POST", path: "/assistants", body: AssistantCreate, summary: "Create an assistant" },
  searchAssistants: { method: "POST", path: "/assistants/search", body: AssistantSearch, summary: "Search assistants" },
  countAssistants: { method: "POST", path: "/assistants/count", body: AssistantFilter, summary: "Count assistants" },
  getAssistant: { method: "GET", path: assistant, summary: "Get an assistant" },
  updateAssistant: {
    method: "PATCH",
    path: assistant,
    body: AssistantPatch,
    summary: "Change an assistant, which makes a new version of it",
  },
  deleteAssistant: {
    method: "DELETE",
    path: assistant,
    query: DeleteQuery,
    summary: "Delete an assistant with its versions and runs",
  },
  listAssistantVersions: {
    method: "POST",
    path: `${assistant}/versions`,
    body: VersionSearch,
    summary: "List the versions of an assistant, newest first",
  },
  setLatestAssistant: {
    method: "POST",
    path: `${assistant}/latest`,
    body: LatestBody,
    query: LatestQuery,
    summary: "Go back to a version of an assistant",
  },
  getAssistantGraph: {
    method: "GET",
    path: `${assistant}/graph`,
    query: GraphQuery,
    summary: "Get the drawable structure of an assistant's graph",
  },
  getAssistantSchemas: {
    method: "GET",
    path: `${assistant}/schemas`,
    summary: "Get the JSON Schemas of an assistant's graph",
  },
  getAssistantSubgraphs: {
    method: "GET",
    path: `${assistant}/subgraphs`,
    query: SubgraphsQuery,
    summary: "Get the JSON Schemas of the graphs inside of an assistant's graph",
  },
  getAssistantSubgraph: {
    method: "GET",
    path: `${assistant}/subgraphs/[namespace]`,
    query: SubgraphsQuery,
    summary: "Get the JSON Schemas of one graph inside of an assistant's graph",
  },
} as const satisfies Record<string, Operation>;
