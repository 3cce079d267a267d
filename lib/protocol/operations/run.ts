import { listOf } from "../fields.ts";
import {
  CancelMany,
  CancelManyQuery,
  CancelQuery,
  JoinQuery,
  JoinWaitQuery,
  RunCreate,
  RunListQuery,
} from "../runs.ts";
import type { Operation } from "./operation.ts";

const create = { method: "POST", access: "key", body: RunCreate } as const;
const run = "/threads/[thread_id]/runs/[run_id]";

/** Operations on runs, each with and without a thread. */
export const runOperations = {
  createRun: { ...create, path: "/runs", answer: "json", summary: "Start a run in the background" },
  streamRun: { ...create, path: "/runs/stream", answer: "events", summary: "Start a run and stream its events" },
  waitRun: { ...create, path: "/runs/wait", answer: "json", summary: "Start a run and wait for its last values" },
  joinRunStream: {
    method: "GET",
    path: "/runs/[run_id]/stream",
    access: "key",
    query: JoinQuery,
    answer: "events",
    summary: "Follow a run's events, from any event id",
  },
  createRuns: {
    method: "POST",
    path: "/runs/batch",
    access: "key",
    body: listOf(RunCreate, 1000, 1),
    answer: "json",
    summary: "Start several runs in the background",
  },
  cancelRuns: {
    method: "POST",
    path: "/runs/cancel",
    access: "key",
    body: CancelMany,
    query: CancelManyQuery,
    answer: "json",
    summary: "Cancel several runs",
  },
  createThreadRun: {
    ...create,
    path: "/threads/[thread_id]/runs",
    answer: "json",
    summary: "Start a run on a thread in the background",
  },
  streamThreadRun: {
    ...create,
    path: "/threads/[thread_id]/runs/stream",
    answer: "events",
    summary: "Start a run on a thread and stream its events",
  },
  waitThreadRun: {
    ...create,
    path: "/threads/[thread_id]/runs/wait",
    answer: "json",
    summary: "Start a run on a thread and wait for its last values",
  },
  listRuns: {
    method: "GET",
    path: "/threads/[thread_id]/runs",
    access: "key",
    query: RunListQuery,
    answer: "json",
    summary: "List a thread's runs, newest first",
  },
  getRun: { method: "GET", path: run, access: "key", answer: "json", summary: "Get a run" },
  deleteRun: {
    method: "DELETE",
    path: run,
    access: "key",
    answer: "json",
    summary: "Delete a run that has ended",
  },
  joinThreadRunStream: {
    method: "GET",
    path: `${run}/stream`,
    access: "key",
    query: JoinQuery,
    answer: "events",
    summary: "Follow a run's events, from any event id",
  },
  joinRun: {
    method: "GET",
    path: `${run}/join`,
    access: "key",
    query: JoinWaitQuery,
    answer: "json",
    summary: "Wait for a run's last values",
  },
  cancelRun: {
    method: "POST",
    path: `${run}/cancel`,
    access: "key",
    query: CancelQuery,
    answer: "json",
    summary: "Stop a run, and undo it if asked",
  },
} as const satisfies Record<string, Operation>;
