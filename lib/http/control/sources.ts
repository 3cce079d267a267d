import { Fault } from "../../protocol/faults.ts";
import type { Source } from "../../protocol/sources.ts";
import type { controlOperations as operations } from "../../protocol/operations/control.ts";
import * as preflights from "../../engine/control/preflight.ts";
import * as uploads from "../../engine/control/uploads.ts";
import type { ControlCall, ControlHandler } from "./endpoint.ts";

/** Shows what would be deployed. Nothing of the source is installed or run. */
export const preflight: ControlHandler<typeof operations.preflight> = async (call) => {
  guardSource(call, call.body.source);
  return Response.json(await preflights.preflight(call.control, call.body, call.request.signal));
};

/** Stores the archive in the body and answers with its `upload_id`. Any content type except those of forms is accepted. */
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

/** Refuses folders and repositories of this machine unless the settings allow them. Faults: `forbidden`. */
export function guardSource({ settings }: Pick<ControlCall, "settings">, source: Source): void {
  const isLocal = source.type === "folder" || (source.type === "git" && source.url.startsWith("file:"));
  if (!isLocal || settings.localSources) return;
  throw new Fault(
    "forbidden",
    "Folders of the server can't be deployed from elsewhere: push to a repository, or upload an archive",
  );
}
