import type { StoredRevision } from "../../engine/ports/builds.ts";
import { buildLog, followLines, type LogEnd, serverLog } from "../../engine/control/build-log.ts";
import {
  cancelRevision,
  getRevision,
  listRevisions,
  redeploy,
  shownRevision,
  revisionChanges,
} from "../../engine/control/revisions.ts";
import { rollBack as goBack } from "../../engine/control/rollback.ts";
import type { LogQuery } from "../../protocol/control.ts";
import { Fault } from "../../protocol/faults.ts";
import type { controlOperations as operations } from "../../protocol/operations/control.ts";
import type { LogLine } from "../../protocol/revisions.ts";
import { encodeSse, HEARTBEAT, HEARTBEAT_MS } from "../../protocol/sse.ts";
import { isUnderway } from "../../rules/revisions/state.ts";
import { byteStream, STREAM_HEADERS } from "../sse.ts";
import { deploymentOf } from "./deployments.ts";
import { afterOf, encodeLines } from "./events.ts";
import type { ControlCall, ControlHandler } from "./endpoint.ts";

export const list: ControlHandler<typeof operations.listRevisions> = async (call) =>
  Response.json(await listRevisions(call.control, await deploymentOf(call), call.query));

export const create: ControlHandler<typeof operations.createRevision> = async (call) => {
  const { platform, control, body } = call;
  const deployment = await deploymentOf(call);
  const revision = await redeploy(platform, control, deployment, body);
  return Response.json(await shownRevision(control, deployment, revision), { status: 201 });
};

export const get: ControlHandler<typeof operations.getRevision> = async (call) => {
  const deployment = await deploymentOf(call);
  return Response.json(await shownRevision(call.control, deployment, await revisionOf(call)));
};

export const changes: ControlHandler<typeof operations.revisionChanges> = async (call) => {
  const deployment = await deploymentOf(call);
  return Response.json(await revisionChanges(call.control, deployment, await revisionOf(call), call.query.since));
};

export const cancel: ControlHandler<typeof operations.cancelRevision> = async (call) => {
  const { platform, control } = call;
  const deployment = await deploymentOf(call);
  const cancelled = await cancelRevision(platform, control, deployment, await revisionOf(call));
  return Response.json(await shownRevision(control, deployment, cancelled));
};

export const rollBack: ControlHandler<typeof operations.rollBack> = async (call) => {
  const { platform, control, body } = call;
  const deployment = await deploymentOf(call);
  const revision = await goBack(platform, control, deployment, body);
  return Response.json(await shownRevision(control, deployment, revision), { status: 201 });
};

/** As JSON, or followed until the build is over. */
export const build: ControlHandler<typeof operations.buildLog> = async (call) => {
  const revision = await revisionOf(call);
  const isOver = async (): Promise<boolean> => {
    const now = await call.control.revisions.get(revision.deployment_id, revision.number);
    return !now || !isUnderway(now.state);
  };
  return await logResponse(call, buildLog(revision), { isOver, onChange: call.platform.onChange });
};

export const server: ControlHandler<typeof operations.serverLog> = async (call) =>
  await logResponse(call, serverLog(await deploymentOf(call)));

/** Faults: `not_found`. */
async function revisionOf(call: Pick<ControlCall, "control" | "params">): Promise<StoredRevision> {
  const deployment = await deploymentOf(call);
  const number = Number(call.params.revision);
  if (!Number.isSafeInteger(number)) throw new Fault("not_found", `No revision "${call.params.revision ?? ""}"`);
  return await getRevision(call.control, deployment, number);
}

async function logResponse(
  { control, request, query }: ControlCall<undefined, LogQuery>,
  log: string,
  end?: LogEnd,
): Promise<Response> {
  const { lines } = control;
  if (!request.headers.get("accept")?.includes("text/event-stream")) {
    const page =
      query.after === undefined ? await lines.tail(log, query.limit) : await lines.read(log, query.after, query.limit);
    return Response.json(page);
  }
  const after = afterOf(request) ?? query.after ?? ((await lines.tail(log, query.limit))[0]?.id ?? 0) - 1;
  const body = byteStream((signal) => encoded(followLines(lines, log, after, signal, end)), {
    keepAlive: { text: HEARTBEAT, everyMs: HEARTBEAT_MS },
  });
  return new Response(body, { headers: STREAM_HEADERS });
}

/** Pages of lines; at the end an event `end`. */
async function* encoded(pages: AsyncIterable<LogLine[]>): AsyncGenerator<string, void, undefined> {
  for await (const page of pages) yield encodeLines(page);
  yield encodeSse({ event: "end", data: "null" });
}
