import { isDeeperThan, isObject, type JsonObject, parseJson } from "./json.ts";

/** An id of JSON-RPC 2.0. A2A sends one call per body, which always gets a response with the same id and JSON type. */
export type RpcId = string | number | null;

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: readonly JsonObject[];
}

export type RpcOutcome = { readonly result: unknown } | { readonly error: RpcError };

export type RpcRequest =
  | { readonly ok: true; readonly id: RpcId; readonly method: string; readonly params: unknown }
  | { readonly ok: false; readonly id: RpcId; readonly error: RpcError };

export const RPC_CODE = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  unauthorized: -32000,
} as const;

const DEPTH_LIMIT = 64;
/** The longest id. It is repeated in every event of a stream, so a long one costs much. */
const ID_LIMIT = 1024;

/**
 * Parses a body and never throws. An invalid request becomes an error, with its id if there is a usable one. A request
 * without an id gets a response with `id: null`, because A2A has no notifications.
 */
export function parseRpc(text: string): RpcRequest {
  const body = parseJson(text);
  return body === undefined ? NO_JSON : rpcOf(body);
}

/** The result for a body that is not JSON. */
const NO_JSON: RpcRequest = {
  ok: false,
  id: null,
  error: { code: RPC_CODE.parse, message: "Invalid JSON payload" },
};

/** Validates a parsed body like `parseRpc`. `isFlat` skips the check of its depth when the parser has done it. */
export function rpcOf(body: unknown, isFlat = false): RpcRequest {
  if (Array.isArray(body)) return invalid(null, "batch requests are not supported");
  if (!isObject(body)) return invalid(null, "expected an object");
  const { id = null } = body;
  if (!isRpcId(id)) return invalid(null, `id: expected null, an integer or a string of up to ${ID_LIMIT} characters`);
  if (body.jsonrpc !== "2.0") return invalid(id, 'jsonrpc: expected "2.0"');
  if (typeof body.method !== "string" || body.method === "") return invalid(id, "method: expected a non-empty string");
  if (!isFlat && isDeeperThan(body, DEPTH_LIMIT)) return invalid(id, `nests deeper than ${DEPTH_LIMIT} levels`);
  return { ok: true, id, method: body.method, params: body.params };
}

/** Refuses integers beyond 2^53, which lose digits in parsing and could not be returned. */
function isRpcId(id: unknown): id is RpcId {
  if (typeof id === "string") return id.length <= ID_LIMIT;
  return id === null || Number.isSafeInteger(id);
}

function invalid(id: RpcId, why: string): RpcRequest {
  return { ok: false, id, error: { code: RPC_CODE.invalidRequest, message: `Invalid JSON-RPC Request: ${why}` } };
}

/** Encodes a response with exactly one of `result` and `error`, and no other members of the outcome. */
export function encodeRpc(id: RpcId, outcome: RpcOutcome): string {
  const member = "error" in outcome ? { error: outcome.error } : { result: outcome.result };
  return JSON.stringify({ jsonrpc: "2.0", id, ...member });
}

/** Encodes a response whose result is JSON text already. */
export function encodeRpcText(id: RpcId, result: string): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`;
}

export interface Violation {
  readonly field: string;
  readonly description: string;
}

/** Describes invalid parameters in a sentence and as `google.rpc.BadRequest`. */
export function invalidParams(violations: readonly Violation[]): RpcError {
  const [first] = violations;
  const field = first?.field ? `${first.field}: ` : "";
  return {
    code: RPC_CODE.invalidParams,
    message: first ? `Invalid parameters: ${field}${first.description}` : "Invalid parameters",
    data: [{ "@type": "type.googleapis.com/google.rpc.BadRequest", fieldViolations: violations }],
  };
}
