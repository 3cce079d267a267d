import * as logs from "../../engine/control/logs.ts";
import { findRevision } from "../../engine/control/revisions.ts";
import type { LogQuery } from "../../protocol/control.ts";
import type { controlOperations as operations } from "../../protocol/operations/control.ts";
import type { LogLine } from "../../protocol/revisions.ts";
import { encodeSse } from "../../protocol/sse.ts";
import { isUnderway } from "../../rules/revisions/phases.ts";
import { sseResponse } from "../sse.ts";
import type { ControlCall, ControlHandler } from "./endpoint.ts";
import { deploymentOf, revisionOf } from "./path.ts";

/** Answers with JSON, or with a stream that ends when the build is over. */
export const buildLog: ControlHandler<typeof operations.buildLog> = async (call) => {
  const revision = await revisionOf(call);
  const isOver = async (): Promise<boolean> => {
    const now = await findRevision(call.control, revision, revision.number);
    return !now || !isUnderway(now.state);
  };
  return await logResponse(call, logs.buildLogName(revision), { isOver, onChange: call.platform.onChange });
};

export const serverLog: ControlHandler<typeof operations.serverLog> = async (call) =>
  await logResponse(call, logs.serverLogName(await deploymentOf(call)));

async function logResponse(
  { control, request, query }: ControlCall<undefined, LogQuery>,
  log: string,
  end?: logs.LogEnd,
): Promise<Response> {
  if (!request.headers.get("accept")?.includes("text/event-stream")) {
    return Response.json(await logs.readLog(control, log, query));
  }
  const after = afterOf(request) ?? query.after ?? (await logs.tailStart(control, log, query.limit));
  return sseResponse((signal) => encoded(logs.followLog(control, log, after, signal, end)));
}

/** Encodes pages of lines, and an event `end` after the last one. */
async function* encoded(pages: AsyncIterable<LogLine[]>): AsyncGenerator<string, void, undefined> {
  for await (const page of pages) yield encodeLines(page);
  yield encodeSse({ event: "end", data: "null" });
}

/** Encodes a page of lines as one event, with the id of its last line. */
export function encodeLines(page: readonly LogLine[]): string {
  return encodeSse({ event: "lines", data: JSON.stringify(page), id: String(page.at(-1)?.id ?? 0) });
}

/** Returns the id of the last line that the client has received. */
export function afterOf(request: Request): number | undefined {
  const id = request.headers.get("last-event-id");
  return id !== null && /^\d{1,15}$/.test(id) ? Number(id) : undefined;
}
