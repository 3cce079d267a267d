/** The calls of the pages Threads, Runs and Crons. All of them may throw a `RequestFailure`. */
import type { Cron } from "../protocol/crons.ts";
import { isObject, type JsonObject } from "../protocol/json.ts";
import type { Run } from "../protocol/runs.ts";
import type { Thread, ThreadState } from "../protocol/threads.ts";
import { call, type CursorPage, read } from "./call.ts";
import { type CronFilter, cronApi } from "./crons.ts";
import { type ListedThread, type ThreadFilter, threadListApi } from "./listed-threads.ts";
import { readOmitted } from "./omitted-value.ts";
import type { ListPage } from "./page-slots.ts";
import { RequestFailure } from "./refusal.ts";
import { type ListedRun, runApi, type RunFilter } from "./runs.ts";
import { threadApi } from "./threads.ts";

/** Rows that are read at once. */
const PAGE = 100;

export type RoomApi = ReturnType<typeof roomApi>;

export function roomApi(base: string) {
  const lists = threadListApi(base);
  const threads = threadApi(base);
  const runs = runApi(base);
  const crons = cronApi(base);
  const at = (...parts: readonly string[]): string => [base, ...parts.map(encodeURIComponent)].join("/");
  return {
    threads: {
      page: async (filter: ThreadFilter, cursor: string, signal: AbortSignal): Promise<ListPage<ListedThread>> =>
        toPage(await lists.page(filter, { limit: PAGE, cursor, sort_by: "updated_at" }, signal)),
      count: lists.count,
      get: (thread: string) => json<Thread>("GET", at("threads", thread)),
      /** Reads the state, or the named parts of it. `valueLimit`: the most characters of JSON of its values. */
      state: threads.state,
      omitted: (thread: string, checkpoint: string | undefined, path: string) =>
        readOmitted(threads, thread, checkpoint, path),
      history: (thread: string, search: HistorySearch) =>
        json<ThreadState[]>("POST", `${at("threads", thread)}/history`, search),
      remove: lists.removeMany,
      cancelRuns: runs.cancelOf,
      answer: (thread: string, answers: readonly Answer[]) => respond(at("threads", thread), answers),
      start: (thread: string, request: JsonObject) => startRun<Run>(`${at("threads", thread)}/runs`, request),
    },
    runs: {
      page: async (filter: RunFilter, cursor: string, signal: AbortSignal): Promise<ListPage<ListedRun>> =>
        toPage(await runs.search(filter, { limit: PAGE, cursor }, signal)),
      count: runs.count,
      get: runs.get,
      cancel: runs.cancel,
      start: (request: JsonObject) => startRun<Run>(`${base}/runs`, request),
    },
    crons: {
      /** Reads a page. The cursor is an offset. */
      page: async (filter: CronFilter & { enabled?: boolean }, cursor: string, signal: AbortSignal) => {
        const offset = Number(cursor);
        const found = await crons.search({ ...filter, limit: PAGE, offset }, signal);
        const next = found.crons.length < PAGE ? undefined : String(offset + PAGE);
        return { rows: found.crons, next } satisfies ListPage<Cron>;
      },
      create: (cron: JsonObject) => json<Cron>("POST", `${base}/runs/crons`, cron),
      change: (cron: string, changes: JsonObject) => json<Cron>("PATCH", at("runs", "crons", cron), changes),
      enable: crons.enable,
      remove: crons.remove,
      run: crons.runNow,
    },
  };
}

export interface HistorySearch {
  readonly limit: number;
  readonly before?: string | undefined;
  readonly metadata?: JsonObject;
  readonly select?: readonly string[];
  readonly value_limit?: number;
}

export interface Answer {
  readonly interrupt_id: string;
  readonly response: unknown;
}

/** Answers interrupts. Of two answers to one interrupt, the second is refused. */
async function respond(thread: string, responses: readonly Answer[]): Promise<void> {
  const params = { responses };
  const answer = await startRun<unknown>(`${thread}/commands`, { id: 1, method: "input.respond", params });
  if (!isObject(answer) || answer.type !== "error") return;
  throw new RequestFailure(
    answer.error === "no_such_interrupt" ? 409 : 422,
    typeof answer.message === "string" ? answer.message : "The answer was refused.",
  );
}

const toPage = <Row>({ items, cursor }: CursorPage<Row>): ListPage<Row> => ({ rows: items, next: cursor });

/** Sends a request that starts a run. */
async function startRun<T>(url: string, body: object): Promise<T> {
  return read<T>(await call("POST", url, body, undefined, "console"));
}

async function json<T>(method: string, url: string, body?: object): Promise<T> {
  return read<T>(await call(method, url, body));
}
