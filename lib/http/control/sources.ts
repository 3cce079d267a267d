import { Fault } from "../../protocol/faults.ts";
import type { Source } from "../../protocol/sources.ts";
import type { controlOperations as operations } from "../../protocol/operations/control.ts";
import * as preflights from "../../engine/control/preflight.ts";
import * as uploads from "../../engine/control/uploads.ts";
import type { ControlCall, ControlHandler } from "./endpoint.ts";

/** What would be deployed: nothing of it is installed or run. */
export const preflight: ControlHandler<typeof operations.preflight> = async (call) => {
  guardSource(call, call.body.source);
  return Response.json(await preflights.preflight(call.control, call.body, call.request.signal));
};

/** An archive as the body, of any content type that is not a form's: answered with its `upload_id`. */
export const upload: ControlHandler<typeof operations.upload> = async ({ control, request }) => {
  if (!request.body) throw new Fault("invalid", "Send the archive as the body of the request");
  return Response.json(await uploads.upload(control, piecesOf(request.body), request.signal), { status: 201 });
};

async function* piecesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = body.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    reader.releaseLock();
  }
}

/** Folders and repositories of this machine are for those who sit at it. Faults: `forbidden`. */
export function guardSource({ settings }: Pick<ControlCall, "settings">, source: Source): void {
  const isLocal = source.type === "folder" || (source.type === "git" && source.url.startsWith("file:"));
  if (!isLocal || settings.localSources) return;
  throw new Fault(
    "forbidden",
    "Folders of the server can't be deployed from elsewhere: push to a repository, or upload an archive",
  );
}
