import { ThreadCommand, ThreadJoinQuery, ThreadStreamRequest } from "../thread-stream.ts";
import type { Operation } from "./operation.ts";

const thread = "/threads/[thread_id]";

export const threadStreamOperations = {
  applyThreadCommand: {
    method: "POST",
    path: `${thread}/commands`,
    body: ThreadCommand,
    summary: "Run one command of the thread streaming protocol",
  },
  streamThread: {
    method: "POST",
    path: `${thread}/stream/events`,
    body: ThreadStreamRequest,
    summary: "Stream the events of all runs of a thread, past and new, by the thread streaming protocol",
  },
  openThreadSocket: {
    method: "GET",
    path: `${thread}/stream/events`,
    summary: "The thread streaming protocol over a WebSocket; 426 without an upgrade",
  },
  joinThreadStream: {
    method: "GET",
    path: `${thread}/stream`,
    query: ThreadJoinQuery,
    summary: "Follow the events of all runs of a thread",
  },
} as const satisfies Record<string, Operation>;
