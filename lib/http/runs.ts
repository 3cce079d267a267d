import * as cancel from "../engine/runs/cancel.ts";
import { follow, newestEvent, untilEnded } from "../engine/follow.ts";
import type { Access } from "../engine/access.ts";
import type { Deployment, StoredRun } from "../engine/ports/ports.ts";
import type { VisibleRuns } from "../engine/ports/run-search.ts";
import * as runs from "../engine/runs/runs.ts";
import { getThread, isThreadVisible } from "../engine/threads/find-thread.ts";
import { isQueuedByThreadStream, FULL_STREAM } from "../engine/thread-stream/queued-runs.ts";
import { Fault, isFault } from "../protocol/faults.ts";
import type { JsonObject } from "../protocol/json.ts";
import type { operations } from "../protocol/operations.ts";
import type { CancelAction, Run, RunCreate } from "../protocol/runs.ts";
import { ThreadCount } from "../protocol/threads.ts";
import { encodeSse } from "../protocol/sse.ts";
import { shownRun } from "../rules/runs/shown.ts";
import { selectFields } from "../rules/search-page.ts";
import { permitThread } from "./access.ts";
import type { Call, Handler } from "./endpoint.ts";
import { lastValues } from "./last-values.ts";
import { parse } from "./parse.ts";
import { startOptionsOf } from "./run-start.ts";
import { eventStream, STREAM_HEADERS } from "./sse.ts";
import { textStream } from "./text-body.ts";
import { threadIdOf } from "./thread-id.ts";

type RunCall = Pick<
  Call<typeof operations.streamRun>,
  "platform" | "deployment" | "request" | "params" | "access" | "settings"
>;

/** Returns the thread of the path; undefined for a path of runs without a thread. */
const threadOf = ({ params }: Pick<RunCall, "params">): string | undefined =>
  params.thread_id === undefined ? undefined : threadIdOf(params);

/** Returns the path for `Content-Location`. Clients take the id of a new run from its end. */
function locationOf(call: RunCall, run: Run): string {
  const thread = threadOf(call);
  return `${thread === undefined ? "" : `/threads/${thread}`}/runs/${run.run_id}`;
}

function start(call: RunCall, body: RunCreate, how: { notes?: boolean; isRead?: boolean } = {}): Promise<Run> {
  const options = { ...startOptionsOf(call), threadId: threadOf(call), ...how };
  return runs.startRun(call.platform, call.deployment, body, options);
}

/** Returns the run of a path if the caller may do something to its thread. Faults: `not_found`. */
async function findRun(
  call: RunCall,
  action: "read" | "update" | "delete",
  value: JsonObject = {},
): Promise<StoredRun> {
  const { run_id = "" } = call.params;
  const run = await runs.getRun(call.deployment, run_id, threadOf(call));
  const { visible } = await call.access.permit(`threads:${action}`, { thread_id: run.thread_id, ...value });
  if (!(await cancel.isRunVisible(call.deployment, run, visible))) throw new Fault("not_found", "Run not found");
  return run;
}

/** `POST /runs`, `POST /threads/{thread_id}/runs` */
export const createRun: Handler<typeof operations.createRun> = async (call) => {
  const thread = threadOf(call);
  const notes = thread !== undefined && (await isQueuedByThreadStream(call.deployment, thread, call.body));
  const run = await start(call, notes ? { ...call.body, ...FULL_STREAM } : call.body, { notes });
  return Response.json(run, { headers: { "content-location": locationOf(call, run) } });
};

/** `POST /runs/batch` */
export const createRuns: Handler<typeof operations.createRuns> = async (call) => {
  const started: Run[] = [];
  for (const body of call.body) started.push(await start(call, body));
  return Response.json(started);
};

/** `POST /runs/stream`, `POST /threads/{thread_id}/runs/stream` */
export const streamRun: Handler<typeof operations.streamRun> = async (call) => {
  const run = await start(call, call.body, { isRead: true });
  const location = locationOf(call, run);
  // A client that sees `Location` reconnects there by itself after a network error.
  const reconnect = call.body.stream_resumable && { location: `${location}/stream` };
  return eventStream((signal) => follow(call.deployment, run.run_id, -1, signal), {
    headers: { "content-location": location, ...reconnect },
    onLeave: call.body.on_disconnect === "cancel" ? cancelLater(call, run.run_id) : undefined,
  });
};

/** `GET /runs/{run_id}/stream`, also below a thread: events after `Last-Event-ID`, or else from now on. */
export const joinRunStream: Handler<typeof operations.joinRunStream> = async (call) => {
  const run = await findRun(call, "read").catch((error: unknown) => {
    if (call.access.user && isFault(error) && error.code === "not_found") return undefined;
    throw error;
  });
  if (!run) return notFoundStream();
  const after = eventIdOf(call.request.headers.get("last-event-id")) ?? newestEvent(call.deployment, run);
  return eventStream((signal) => follow(call.deployment, run.run_id, after, signal), {
    modes: call.query.stream_mode,
    onLeave: call.query.cancel_on_disconnect ? cancelLater(call, run.run_id) : undefined,
  });
};

/**
 * If the application authorizes calls, clients expect "not found" as an event of the stream. A run that is hidden from
 * the caller and one that does not exist get the same answer.
 */
function notFoundStream(): Response {
  const data = JSON.stringify({ error: "HTTPException", message: "HTTP 404: Run not found" });
  return new Response(encodeSse({ event: "error", data }), { headers: STREAM_HEADERS });
}

/** Parses `Last-Event-ID`. Clients send `-1`, `-` or `0-0` for the beginning. */
function eventIdOf(header: string | null): number | undefined {
  const text = header?.trim();
  if (text === "-" || text === "0-0" || text === "-1") return -1;
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** Keeps the connection of a waiting client alive. JSON parsers skip leading line ends. */
const WAIT_KEEP_ALIVE = { text: "\n", everyMs: 1_000 };

/** Answers with the JSON of `open` once it is there. */
function waitingResponse(
  open: (signal: AbortSignal) => AsyncIterator<string, void, undefined>,
  { onLeave, headers }: { onLeave: (() => void) | undefined; headers?: Record<string, string> },
): Response {
  const body = textStream(open, { keepAlive: WAIT_KEEP_ALIVE, onLeave });
  return new Response(body, { headers: { "content-type": "application/json", ...headers } });
}

/** `POST /runs/wait`, `POST /threads/{thread_id}/runs/wait` */
export const waitRun: Handler<typeof operations.waitRun> = async (call) => {
  const modes = call.body.stream_mode;
  const body: RunCreate = { ...call.body, stream_mode: modes.includes("values") ? modes : [...modes, "values"] };
  const run = await start(call, body, { isRead: true });
  const location = locationOf(call, run);
  const goesOn = call.body.on_disconnect !== "cancel";
  // After a network error the client for Python waits at this address.
  const reconnect = goesOn && threadOf(call) !== undefined && { location: `${location}/join` };
  return waitingResponse((signal) => lastValues(follow(call.deployment, run.run_id, -1, signal)), {
    onLeave: goesOn ? undefined : cancelLater(call, run.run_id),
    headers: { "content-location": location, ...reconnect },
  });
};

/** `GET /threads/{thread_id}/runs/{run_id}/join`: the thread's values once the run has ended. */
export const joinRun: Handler<typeof operations.joinRun> = async (call) => {
  const run = await findRun(call, "read");
  const { run_id, thread_id } = run;
  const values = async function* (signal: AbortSignal): AsyncGenerator<string, void, undefined> {
    await untilEnded(call.deployment, run, signal);
    const { error } = await runs.getRun(call.deployment, run_id);
    yield JSON.stringify(error ? { __error__: error } : (await getThread(call.deployment, thread_id)).values);
  };
  return waitingResponse(values, {
    onLeave: call.query.cancel_on_disconnect ? cancelLater(call, run_id) : undefined,
  });
};

/** `GET /threads/{thread_id}/runs` */
export const listRuns: Handler<typeof operations.listRuns> = async (call) => {
  const { threadId } = await permitThread(call, "read");
  await getThread(call.deployment, threadId);
  const { limit = 10, offset = 0, status, select } = call.query;
  const listed = await runs.listRuns(call.deployment, threadId, { limit, offset, status });
  return Response.json(listed.map((run) => selectFields(run, select)));
};

/** `GET /runs/{run_id}`, also below a thread */
export const getRun: Handler<typeof operations.getRun> = async (call) =>
  Response.json(shownRun(await findRun(call, "read")));

/** `DELETE /threads/{thread_id}/runs/{run_id}` */
export const deleteRun: Handler<typeof operations.deleteRun> = async (call) => {
  const run = await findRun(call, "delete", { run_id: call.params.run_id });
  await runs.deleteRun(call.deployment, run.run_id);
  return new Response(null, { status: 204 });
};

/** `POST /threads/{thread_id}/runs/{run_id}/cancel` */
export const cancelRun: Handler<typeof operations.cancelRun> = async (call) => {
  const value = { action: call.query.action ?? "interrupt", metadata: { run_ids: [call.params.run_id] } };
  const run = await findRun(call, "update", value);
  await cancel.cancelRun(call.deployment, run.run_id, call.query.action);
  if (!call.query.wait) return new Response(null, { status: 202 });
  await untilEnded(call.deployment, run, call.request.signal);
  return new Response(null, { status: 204 });
};

/** `POST /runs/search` */
export const searchRuns: Handler<typeof operations.searchRuns> = async ({ deployment, access, body }) => {
  const { items, cursor } = await runs.searchRuns(deployment, body, await visibleRuns(access, body.limit));
  return Response.json(items, { headers: cursor === undefined ? {} : { "x-pagination-cursor": cursor } });
};

/** `POST /runs/count` */
export const countRuns: Handler<typeof operations.countRuns> = async ({ deployment, access, body }) =>
  Response.json(await runs.countRuns(deployment, body, await visibleRuns(access, 0)));

/**
 * Asks the application which threads the caller finds. Its handler sees a search of threads without conditions, and what
 * it adds to that counts as well as the filter that it returns.
 */
async function visibleRuns({ permit }: Access, limit: number): Promise<VisibleRuns> {
  const { value, visible } = await permit("threads:search", { metadata: {}, limit, offset: 0 });
  return { threads: parse(ThreadCount, value, "search"), visible };
}

/** `POST /runs/cancel` */
export const cancelRuns: Handler<typeof operations.cancelRuns> = async ({ deployment, access, body, query }) => {
  const { status, thread_id = "", run_ids = [] } = body;
  const action = query.action ?? "interrupt";
  if (body.thread_ids) {
    const threads = await permittedThreads(deployment, access, body.thread_ids, action);
    await cancel.cancelRunsOf(deployment, threads, action);
    return new Response(null, { status: 204 });
  }
  const { visible } = await access.permit("threads:update", {
    thread_id: body.thread_id,
    action,
    metadata: { run_ids, status },
  });
  const selection = status === undefined ? { threadId: thread_id, runIds: run_ids } : { status };
  await cancel.cancelRuns(deployment, selection, action, visible);
  return new Response(null, { status: 204 });
};

/** Returns the threads that the caller may change. All are asked about before anything is cancelled. */
async function permittedThreads(
  deployment: Deployment,
  { permit }: Access,
  threadIds: readonly string[],
  action: CancelAction,
): Promise<string[]> {
  const permitted: string[] = [];
  for (const thread_id of new Set(threadIds)) {
    const { visible } = await permit("threads:update", { thread_id, action, metadata: {} });
    if (await isThreadVisible(deployment, thread_id, visible)) permitted.push(thread_id);
  }
  return permitted;
}

function cancelLater(call: { deployment: Deployment; platform: Call<never>["platform"] }, runId: string): () => void {
  return () => {
    cancel
      .cancelRun(call.deployment, runId)
      .catch((cause: unknown) => call.platform.logger.error(`run ${runId} could not be cancelled`, cause));
  };
}
