import { ThreadCommand, ThreadJoinQuery, ThreadStreamRequest } from "../thread-stream.ts";
import type { Operation } from "./operation.ts";

const thread = "/threads/[thread_id]";

export const threadStreamOperations = {
  applyThreadCommand: {
    method: "POST",
    path: `${thread}/commands`,
    body: ThreadCommand,
    summary: "Thread streaming protocol: one command",
  },
  streamThread: {
    method: "POST",
    path: `${thread}/stream/events`,
    body: ThreadStreamRequest,
    summary: "Thread streaming protocol: what all runs of a thread tell, from the first and as it comes",
  },
  openThreadSocket: {
    method: "GET",
    path: `${thread}/stream/events`,
    summary: "The thread streaming protocol over a WebSocket; 426 for a request that asks for none",
  },
  joinThreadStream: {
    method: "GET",
    path: `${thread}/stream`,
    query: ThreadJoinQuery,
    summary: "Follow the events of all runs of a thread",
  },
} as const satisfies Record<string, Operation>;
