import type { Assistant, GraphDrawing, GraphSchemas } from "../../protocol/assistants.ts";
import type { JsonObject } from "../../protocol/json.ts";
import type { RunStatus } from "../../protocol/runs.ts";
import type { Thread, ThreadState } from "../../protocol/threads.ts";
import type { StateHead } from "../../rules/studio/state-heads.ts";
import { call, read } from "../call.ts";
import { type ListedThread, threadListApi } from "../listed-threads.ts";
import { readOmitted } from "../omitted-value.ts";
import { RequestFailure } from "../refusal.ts";
import { SUMMARY, threadApi, type ThreadSummary } from "../threads.ts";
import { withOmittedResults } from "./omitted-results.ts";

/** The part of a run that the studio needs. */
export interface StudioRunSummary {
  readonly run_id: string;
  readonly assistant_id: string;
  readonly status: RunStatus;
  readonly created_at: string;
  readonly kwargs: unknown;
}

/** A position at which a state is changed, or from which a run starts. */
export interface StateChange {
  readonly values: unknown;
  readonly as_node?: string;
  readonly checkpoint_id?: string;
}

const HEAD = ["next", "tasks", "metadata", "created_at", "checkpoint", "parent_checkpoint", "interrupts"] as const;

/** The number of checkpoints that one call reads. */
export const HISTORY_PAGE = 200;

/** The most characters of JSON of a state's values, and of a task's result in a history, that are read unasked. */
const VALUE_LIMIT = 400_000;
const RESULT_LIMIT = 20_000;

/** The most assistants of one graph that the studio offers. */
const MOST_ASSISTANTS = 200;

/** The most threads that the studio offers to open. */
const MOST_THREADS = 30;

export type StudioApi = ReturnType<typeof studioApi>;

/** The calls of the studio except those that follow runs. All of them may throw a `RequestFailure`. */
export function studioApi(base: string) {
  const at = (thread: string): string => `${base}/threads/${encodeURIComponent(thread)}`;
  const threads = threadApi(base);
  const assistant = (id: string): string => `${base}/assistants/${encodeURIComponent(id)}`;
  return {
    drawing: async (id: string, xray: boolean) =>
      read<GraphDrawing>(await call("GET", `${assistant(id)}/graph?xray=${xray}`)),
    schemas: async (id: string) => read<GraphSchemas>(await call("GET", `${assistant(id)}/schemas`)),
    assistants: async (graph_id: string) =>
      read<Assistant[]>(
        await call("POST", `${base}/assistants/search`, { graph_id, limit: MOST_ASSISTANTS, sort_by: "name" }),
      ),
    /** The newest threads of a graph. */
    threads: async (graph_id: string) =>
      read<ThreadSummary[]>(
        await call("POST", `${base}/threads/search`, { ...SUMMARY, metadata: { graph_id }, limit: MOST_THREADS }),
      ),
    /** Reads a thread without its values, which may be large. */
    thread: async (thread: string): Promise<ListedThread> => {
      const [found] = (await threadListApi(base).page({ ids: [thread] }, { limit: 1 })).items;
      if (!found) throw new RequestFailure(404, `There is no thread ${thread}.`);
      return found;
    },
    wholeThread: async (thread: string) => read<Thread>(await call("GET", at(thread))),
    createThread: (thread_id: string, metadata: JsonObject) =>
      call("POST", `${base}/threads`, { thread_id, metadata, if_exists: "do_nothing" }),
    /** Newest first, without large results of tasks. `before`: the id of a checkpoint. */
    history: async (thread: string, before?: string) => {
      const page = { limit: HISTORY_PAGE, before, select: HEAD, value_limit: RESULT_LIMIT };
      return (await read<StateHead[]>(await call("POST", `${at(thread)}/history`, page))).map(withOmittedResults);
    },
    /** States with their values, newest first. */
    wholeHistory: async (thread: string, limit: number) =>
      read<ThreadState[]>(await call("POST", `${at(thread)}/history`, { limit })),
    /** Reads the values at a checkpoint: those up to the limit, or all of them. */
    values: (thread: string, checkpoint: string, isWhole = false) =>
      threads.state(
        thread,
        checkpoint,
        ["values", "checkpoint", "parent_checkpoint"],
        isWhole ? undefined : VALUE_LIMIT,
      ),
    /** Reads a part of the values that was left out. `path`: the one in `omitted`. */
    omitted: (thread: string, checkpoint: string, path: string) => readOmitted(threads, thread, checkpoint, path),
    updateState: async (thread: string, change: StateChange) =>
      read<{ checkpoint: { checkpoint_id: string } }>(await call("POST", `${at(thread)}/state`, change)),
    copy: async (thread: string, checkpoint_id?: string) =>
      read<Thread>(
        await call("POST", `${at(thread)}/copy`, checkpoint_id === undefined ? undefined : { checkpoint_id }),
      ),
    /** Newest first. */
    newestRuns: async (thread: string, limit: number) =>
      read<StudioRunSummary[]>(await call("GET", `${at(thread)}/runs?limit=${limit}`)),
    cancel: (thread: string, run: string) => call("POST", `${at(thread)}/runs/${encodeURIComponent(run)}/cancel`),
  };
}
