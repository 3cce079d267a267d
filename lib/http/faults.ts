import { Fault, isFault, REASON_HEADER, type FaultCode, type AppRefusal } from "../protocol/faults.ts";
import { answerHeaders } from "../rules/http/shared-address.ts";

const STATUS: Record<FaultCode, number> = {
  malformed: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  too_large: 413,
  unsupported_type: 415,
  invalid: 422,
  too_many: 429,
  internal: 500,
  unavailable: 503,
};

/**
 * Clients show `HTTP {status}: {body}` and match on it, so the body of a plain fault is exactly its message. Faults with
 * issues are JSON: `{"detail": ..., "issues": [{path, message}]}`.
 */
export function faultResponse(fault: Fault, requestId: string): Response {
  const status = STATUS[fault.code];
  const headers = new Headers({ "x-request-id": requestId });
  if (status === 401) headers.set("www-authenticate", 'Bearer realm="graphlib"');
  if (fault.retryAfter !== undefined) headers.set("retry-after", String(fault.retryAfter));
  if (fault.reason !== undefined) headers.set(REASON_HEADER, fault.reason);
  if (fault.issues.length === 0) {
    headers.set("content-type", "text/plain; charset=utf-8");
    return new Response(fault.message, { status, headers });
  }
  return Response.json({ detail: fault.message, issues: fault.issues }, { status, headers });
}

/** Renders a refusal by the application's code. `shared` is set for an address that the console uses as well. */
export function refusalResponse({ status, message, headers }: AppRefusal, shared: boolean): Response {
  const answer = new Response(message, { status, headers: { "content-type": "text/plain; charset=utf-8" } });
  const lowercase = headers.map(([name, value]): [string, string] => [name.toLowerCase(), value]);
  for (const [name, value] of answerHeaders(lowercase, shared)) answer.headers.set(name, value);
  return answer;
}

/** Turns any error into a fault that may leave the server. The message of a bug stays inside. */
export function toFault(thrown: unknown, requestId: string): Fault {
  if (isFault(thrown)) return thrown;
  return new Fault("internal", `Internal error (request ${requestId})`, { cause: thrown });
}
