import * as z from "zod";
import type { Operation } from "./operation.ts";

const CardQuery = z.object({ assistant_id: z.string().min(1).max(255).optional() });

export const a2aOperations = {
  sendA2a: {
    method: "POST",
    path: "/a2a/[assistant_id]",
    access: "key",
    answer: "jsonrpc",
    summary: "Agent2Agent: send, stream and look up messages and tasks",
  },
  getAgent: {
    method: "GET",
    path: "/a2a/[assistant_id]",
    access: "open",
    answer: "json",
    summary: "Agent card of an assistant, at its A2A address itself",
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
  getCardKeys: {
    method: "GET",
    path: "/.well-known/jwks.json",
    access: "open",
    answer: "json",
    summary: "Public key that agent cards are signed with, as a set of JSON Web Keys",
  },
} as const satisfies Record<string, Operation>;
