import { follow } from "../engine/follow.ts";
import type { Deployment } from "../engine/ports.ts";
import { cancelRun, getRun, startRun } from "../engine/runs.ts";
import type { operations } from "../protocol/operations.ts";
import type { Run, RunCreate } from "../protocol/runs.ts";
import { END, type RunEvent } from "../protocol/stream.ts";
import { configurableHeaders } from "../rules/run-config.ts";
import type { Call, Handler } from "./endpoint.ts";
import { byteStream, eventStream } from "./sse.ts";

/** Every call that creates a run says so here: clients take the run's id from the end of this path. */
const locationOf = (run: Run): string => `/runs/${run.run_id}`;

type RunCall = Pick<Call<typeof operations.streamRun>, "platform" | "deployment" | "request">;

const start = ({ platform, deployment, request }: RunCall, body: RunCreate): Promise<Run> =>
  startRun(platform, deployment, body, { headers: configurableHeaders(request.headers) });

/** `POST /runs` */
export const createRun: Handler<typeof operations.createRun> = async (call) => {
  const run = await start(call, call.body);
  return Response.json(run, { headers: { "content-location": locationOf(run) } });
};

/** `POST /runs/stream` */
export const streamRun: Handler<typeof operations.streamRun> = async (call) => {
  const run = await start(call, call.body);
  const headers = new Headers({ "content-location": locationOf(run) });
  // A client that sees `Location` reconnects there by itself after a network error.
  if (call.body.stream_resumable) headers.set("location", `${locationOf(run)}/stream`);
  return eventStream((signal) => follow(call.deployment, run.run_id, -1, signal), {
    headers,
    onLeave: call.body.on_disconnect === "cancel" ? cancelLater(call, run.run_id) : undefined,
  });
};

/** `GET /runs/{run_id}/stream`: from the event after `Last-Event-ID`, else from now on. */
export const joinRun: Handler<typeof operations.joinRun> = async (call) => {
  const run = await getRun(call.deployment, call.params.run_id ?? "");
  const newest = call.deployment.log.newest(run.run_id) ?? run.last_event;
  const after = eventIdOf(call.request.headers.get("last-event-id")) ?? newest;
  return eventStream((signal) => follow(call.deployment, run.run_id, after, signal), {
    modes: call.query.stream_mode,
    onLeave: call.query.cancel_on_disconnect ? cancelLater(call, run.run_id) : undefined,
  });
};

/** `-1`, `-` and `0-0` are the ways in which clients say "from the beginning". */
function eventIdOf(header: string | null): number | undefined {
  const text = header?.trim();
  if (text === "-" || text === "0-0" || text === "-1") return -1;
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** What keeps a connection alive while a client waits: a JSON parser skips leading line ends. */
const WAIT_KEEP_ALIVE = { text: "\n", everyMs: 1_000 };

/** `POST /runs/wait` */
export const waitRun: Handler<typeof operations.waitRun> = async (call) => {
  const modes = call.body.stream_mode;
  const body: RunCreate = { ...call.body, stream_mode: modes.includes("values") ? modes : [...modes, "values"] };
  const run = await start(call, body);
  return new Response(
    byteStream((signal) => lastValues(follow(call.deployment, run.run_id, -1, signal)), {
      keepAlive: WAIT_KEEP_ALIVE,
      onLeave: call.body.on_disconnect === "cancel" ? cancelLater(call, run.run_id) : undefined,
    }),
    { headers: { "content-type": "application/json", "content-location": locationOf(run) } },
  );
};

/** The last `values` of a run, or `{"__error__": ...}`: a run that fails is not a failed request. */
async function* lastValues(batches: AsyncIterable<readonly RunEvent[]>): AsyncGenerator<string, void, undefined> {
  let values = "null";
  let error: string | undefined;
  for await (const batch of batches) {
    for (const event of batch) {
      if (event.event === "values") values = event.data;
      else if (event.event === "error") error = event.data;
      else if (event.event === END) break;
    }
  }
  yield error === undefined ? values : `{"__error__":${error}}`;
}

function cancelLater(call: { deployment: Deployment; platform: Call<never>["platform"] }, runId: string): () => void {
  return () => {
    cancelRun(call.deployment, runId).catch((cause: unknown) =>
      call.platform.logger.error(`run ${runId} could not be cancelled`, cause),
    );
  };
}
