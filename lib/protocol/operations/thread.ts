import {
  HistoryQuery,
  StateAt,
  StateHistory,
  StateQuery,
  StateUpdate,
  ThreadCopy,
  ThreadCount,
  ThreadCreate,
  ThreadPatch,
  ThreadPrune,
  ThreadSearch,
} from "../threads.ts";
import type { Operation } from "./operation.ts";

const thread = "/threads/[thread_id]";

export const threadOperations = {
  createThread: { method: "POST", path: "/threads", body: ThreadCreate, summary: "Create a thread" },
  searchThreads: { method: "POST", path: "/threads/search", body: ThreadSearch, summary: "Search threads" },
  countThreads: { method: "POST", path: "/threads/count", body: ThreadCount, summary: "Count threads" },
  pruneThreads: {
    method: "POST",
    path: "/threads/prune",
    body: ThreadPrune,
    summary: "Delete threads, or all but their newest checkpoints",
  },
  getThread: { method: "GET", path: thread, summary: "Get a thread" },
  updateThread: {
    method: "PATCH",
    path: thread,
    body: ThreadPatch,
    summary: "Change a thread's metadata or its time to live",
  },
  deleteThread: { method: "DELETE", path: thread, summary: "Delete a thread with its runs and checkpoints" },
  copyThread: {
    method: "POST",
    path: `${thread}/copy`,
    body: ThreadCopy,
    summary: "Copy a thread with its checkpoints, or those up to one",
  },
  getThreadState: { method: "GET", path: `${thread}/state`, query: StateQuery, summary: "Get a thread's newest state" },
  updateThreadState: {
    method: "POST",
    path: `${thread}/state`,
    body: StateUpdate,
    summary: "Change a thread's state, or fork it at a checkpoint",
  },
  getThreadStateAt: {
    method: "POST",
    path: `${thread}/state/checkpoint`,
    body: StateAt,
    summary: "Get a thread's state at a checkpoint",
  },
  getThreadStateById: {
    method: "GET",
    path: `${thread}/state/[checkpoint_id]`,
    query: StateQuery,
    summary: "Get a thread's state at a checkpoint, by its id",
  },
  getThreadHistory: {
    method: "POST",
    path: `${thread}/history`,
    body: StateHistory,
    summary: "Get a thread's past states, newest first",
  },
  listThreadHistory: {
    method: "GET",
    path: `${thread}/history`,
    query: HistoryQuery,
    summary: "Get a thread's past states, newest first",
  },
} as const satisfies Record<string, Operation>;
