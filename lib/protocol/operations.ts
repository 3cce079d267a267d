import * as z from "zod";
import { AssistantSearch } from "./assistants.ts";
import { QueryBoolean } from "./fields.ts";
import { JoinQuery, RunCreate } from "./runs.ts";

/** One row of the contract: what route files bind, the typed client calls and documentation lists. */
export interface Operation {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path below a deployment's base, parameters in brackets as the route tree writes them. */
  readonly path: string;
  /** `open` needs no API key even when one is set. */
  readonly access: "open" | "key";
  readonly body?: z.ZodType;
  readonly query?: z.ZodType;
  readonly answer: "json" | "events" | "jsonrpc";
  readonly summary: string;
}

const assistant = "/assistants/[assistant_id]";
const CardQuery = z.object({ assistant_id: z.string().min(1).max(255).optional() });
const GraphQuery = z.object({ xray: z.union([QueryBoolean, z.coerce.number().int().min(0)]).optional() });

export const operations = {
  ok: { method: "GET", path: "/ok", access: "open", answer: "json", summary: "Health of the deployment" },
  info: { method: "GET", path: "/info", access: "open", answer: "json", summary: "Versions and capabilities" },

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

  createRun: {
    method: "POST",
    path: "/runs",
    access: "key",
    body: RunCreate,
    answer: "json",
    summary: "Start a run in the background",
  },
  streamRun: {
    method: "POST",
    path: "/runs/stream",
    access: "key",
    body: RunCreate,
    answer: "events",
    summary: "Start a run and stream its events",
  },
  waitRun: {
    method: "POST",
    path: "/runs/wait",
    access: "key",
    body: RunCreate,
    answer: "json",
    summary: "Start a run and wait for its last values",
  },
  joinRun: {
    method: "GET",
    path: "/runs/[run_id]/stream",
    access: "key",
    query: JoinQuery,
    answer: "events",
    summary: "Follow a run's events, from any event id",
  },

  sendA2a: {
    method: "POST",
    path: "/a2a/[assistant_id]",
    access: "key",
    answer: "jsonrpc",
    summary: "Agent2Agent: send, stream and look up messages and tasks",
  },
  getAgentCard: {
    method: "GET",
    path: "/.well-known/agent-card.json",
    access: "open",
    query: CardQuery,
    answer: "json",
    summary: "Agent card of an assistant",
  },
  hintAgentCard: {
    method: "GET",
    path: "/a2a/.well-known/agent-card.json",
    access: "open",
    answer: "json",
    summary: "404 that says where agent cards are",
  },
  getAssistantCard: {
    method: "GET",
    path: "/a2a/[assistant_id]/.well-known/agent-card.json",
    access: "open",
    answer: "json",
    summary: "Agent card of an assistant, below its A2A address",
  },
} as const satisfies Record<string, Operation>;

/** What a caller may pass as the body of an operation, after parsing. */
export type Body<O extends Operation> = O extends { body: infer S extends z.ZodType } ? z.infer<S> : undefined;
export type Query<O extends Operation> = O extends { query: infer S extends z.ZodType } ? z.infer<S> : undefined;
