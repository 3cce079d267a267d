import * as z from "zod";
import type { Operation } from "./operation.ts";

const CardQuery = z.object({ assistant_id: z.string().min(1).max(255).optional() });

export const a2aOperations = {
  sendA2a: {
    method: "POST",
    path: "/a2a/[assistant_id]",
    summary: "Agent2Agent: send, stream and look up messages and tasks",
  },
  getAgent: {
    method: "GET",
    path: "/a2a/[assistant_id]",
    open: true,
    summary: "Agent card of an assistant, at its A2A address itself",
  },
  getAgentCard: {
    method: "GET",
    path: "/.well-known/agent-card.json",
    open: true,
    query: CardQuery,
    summary: "Agent card of an assistant",
  },
  hintAgentCard: {
    method: "GET",
    path: "/a2a/.well-known/agent-card.json",
    open: true,
    summary: "404 that says where agent cards are",
  },
  getAssistantCard: {
    method: "GET",
    path: "/a2a/[assistant_id]/.well-known/agent-card.json",
    open: true,
    summary: "Agent card of an assistant, below its A2A address",
  },
  getCardKeys: {
    method: "GET",
    path: "/.well-known/jwks.json",
    open: true,
    summary: "Public key that agent cards are signed with, as a set of JSON Web Keys",
  },
} as const satisfies Record<string, Operation>;
