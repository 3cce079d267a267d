import { listOf } from "../fields.ts";
import {
  CancelMany,
  CancelManyQuery,
  CancelQuery,
  JoinQuery,
  JoinWaitQuery,
  RunCount,
  RunCreate,
  RunListQuery,
  RunSearch,
} from "../runs.ts";
import type { Operation } from "./operation.ts";

const create = { method: "POST", body: RunCreate } as const;
const run = "/threads/[thread_id]/runs/[run_id]";

/** Operations on runs, each with and without a thread. */
export const runOperations = {
  createRun: { ...create, path: "/runs", summary: "Start a run in the background" },
  streamRun: { ...create, path: "/runs/stream", summary: "Start a run and stream its events" },
  waitRun: { ...create, path: "/runs/wait", summary: "Start a run and wait for its last values" },
  findRun: { method: "GET", path: "/runs/[run_id]", summary: "Get a run on any thread, or without one" },
  joinRunStream: {
    method: "GET",
    path: "/runs/[run_id]/stream",
    query: JoinQuery,
    summary: "Follow a run's events, from any event id",
  },
  createRuns: {
    method: "POST",
    path: "/runs/batch",
    body: listOf(RunCreate, 1000, 1),
    summary: "Start several runs in the background",
  },
  searchRuns: { method: "POST", path: "/runs/search", body: RunSearch, summary: "Search runs of all threads" },
  countRuns: { method: "POST", path: "/runs/count", body: RunCount, summary: "Count runs of all threads" },
  cancelRuns: {
    method: "POST",
    path: "/runs/cancel",
    body: CancelMany,
    query: CancelManyQuery,
    summary: "Cancel several runs",
  },
  createThreadRun: {
    ...create,
    path: "/threads/[thread_id]/runs",
    summary: "Start a run on a thread in the background",
  },
  streamThreadRun: {
    ...create,
    path: "/threads/[thread_id]/runs/stream",
    summary: "Start a run on a thread and stream its events",
  },
  waitThreadRun: {
    ...create,
    path: "/threads/[thread_id]/runs/wait",
    summary: "Start a run on a thread and wait for its last values",
  },
  listRuns: {
    method: "GET",
    path: "/threads/[thread_id]/runs",
    query: RunListQuery,
    summary: "List a thread's runs, newest first",
  },
  getRun: { method: "GET", path: run, summary: "Get a run" },
  deleteRun: { method: "DELETE", path: run, summary: "Delete a run that has ended" },
  joinThreadRunStream: {
    method: "GET",
    path: `${run}/stream`,
    query: JoinQuery,
    summary: "Follow a run's events, from any event id",
  },
  joinRun: { method: "GET", path: `${run}/join`, query: JoinWaitQuery, summary: "Wait for a run's last values" },
  cancelRun: {
    method: "POST",
    path: `${run}/cancel`,
    query: CancelQuery,
    summary: "Cancel a run; `action=rollback` deletes it and its changes",
  },
} as const satisfies Record<string, Operation>;
