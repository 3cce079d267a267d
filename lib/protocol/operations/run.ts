import { JoinQuery, RunCreate } from "../runs.ts";
import type { Operation } from "./operation.ts";

export const runOperations = {
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
} as const satisfies Record<string, Operation>;
