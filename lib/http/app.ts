/** Serves the application's own routes, which come before those of the API. */
import type { Deployment } from "../engine/ports/ports.ts";
import { addedHeaders, answerHeaders, isShared, leadsConsole } from "../rules/http/shared-address.ts";
import { plainRequest } from "./access.ts";
import { readBytes } from "./body.ts";
import { type BodyLease, LARGE_BYTES } from "./body-budget.ts";
import type { HttpSettings } from "./settings.ts";
import { withHeaders } from "./with-headers.ts";

/** The application's answer to a request. */
export interface AppOutcome {
  /** Absent when the application has no such route. */
  response?: Response;
  /** Replaces the given request, whose body has been read. */
  request: Request;
  /** Headers that the application's middleware adds to the API's answer. */
  headers: readonly [string, string][];
}

/** Headers that describe the body of the "no such route" answer. The API's answer has its own. */
const OF_BODY = new Set(["content-type", "content-length", "content-encoding", "transfer-encoding"]);
/** Headers that concern one connection only and must not be passed on. */
const OF_CONNECTION = new Set(["connection", "keep-alive", "transfer-encoding", "upgrade", "trailer", "te"]);

/** A body counts against the budget for this long after it was sent to the application. */
const HANDED_ON_MS = 10_000;

const NO_REDIRECT = "The application answered with a redirect, which the console does not follow";

/** Faults: `unavailable`, `too_large`; throws an `Error` when the application's code fails. */
export async function askApp(
  request: Request,
  deployment: Deployment,
  settings: HttpSettings,
  lease: BodyLease,
): Promise<AppOutcome> {
  const bare = request.method === "GET" || request.method === "HEAD" || request.body === null;
  const body = bare ? undefined : await readBytes(request, lease);
  if (body && body.byteLength > LARGE_BYTES) await lease.turn();
  // The application receives the body long before it has to answer.
  const sent = setTimeout(() => lease.close(), HANDED_ON_MS);
  const appRequest = { ...plainRequest(request, settings), body };
  const answering = deployment.worker.serve(appRequest, request.signal).finally(() => clearTimeout(sent));
  lease.endTurn();
  const answer = await answering;
  const { headers } = request;
  const shared = isShared(headers.get("host"), settings.publicUrl);
  const page = { site: headers.get("sec-fetch-site"), mode: headers.get("sec-fetch-mode") };
  if (shared && leadsConsole(answer.status, page)) {
    await answer.body?.cancel();
    return { response: new Response(NO_REDIRECT, { status: 502 }), request, headers: [] };
  }
  const passedOn = answer.headers
    .map(([name, value]): [string, string] => [name.toLowerCase(), value])
    .filter(([name]) => !OF_CONNECTION.has(name));
  if (!answer.passed) {
    const response = new Response(answer.body, { status: answer.status });
    return { response: withHeaders(response, answerHeaders(passedOn, shared)), request, headers: [] };
  }
  const added = passedOn.filter(([name]) => !OF_BODY.has(name));
  return { request: body ? withBody(request, body) : request, headers: addedHeaders(added, shared) };
}

function withBody({ url, method, headers, signal }: Request, body: Uint8Array<ArrayBuffer>): Request {
  return new Request(url, { method, headers, signal, body });
}
