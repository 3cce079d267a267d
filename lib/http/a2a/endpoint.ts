import { findAssistant } from "../../engine/assistants.ts";
import { a2aError, isVersionSpoken, type Method, methods, type MethodVerb } from "../../protocol/a2a.ts";
import { parseParams } from "../../protocol/a2a-input.ts";
import { type Fault, type FaultCode, isFault } from "../../protocol/faults.ts";
import {
  encodeRpc,
  parseRpc,
  rpcOf,
  RPC_CODE,
  type RpcError,
  type RpcId,
  type RpcOutcome,
  type RpcRequest,
} from "../../protocol/jsonrpc.ts";
import type { operations } from "../../protocol/operations.ts";
import { a2aVersion, extendedCard, requireA2a } from "../agent-card.ts";
import { jsonOf, readText } from "../body.ts";
import { LARGE_BYTES } from "../body-budget.ts";
import { answerThrown } from "../call.ts";
import { describeCall, type Handler } from "../endpoint.ts";
import { faultResponse } from "../faults.ts";
import { type A2aCall, accepted, type A2aRequest, refused, RpcFailure, type MethodHandler } from "./request.ts";
import { deletePushConfig, getPushConfig, listPushConfigs, setPushConfig } from "./push.ts";
import { send } from "./send.ts";
import { errorStream } from "./stream.ts";
import { cancel, get, list, subscribe } from "./tasks.ts";

/** `POST /a2a/{assistant_id}`: every method of A2A v0.3 and v1.0. */
export const sendA2a: Handler<typeof operations.sendA2a> = async (call) => {
  requireA2a(call.deployment);
  const rpc = await readRpc(call);
  try {
    const assistant = await findAssistant(call.platform, call.deployment, call.params.assistant_id ?? "");
    if (!isJson(call)) return answer(rpc.id, { error: a2aError("CONTENT_TYPE_NOT_SUPPORTED", NO_JSON) });
    if (!rpc.ok) return answer(rpc.id, rpc);
    const version = a2aVersion(call.request);
    if (!isVersionSpoken(version)) return answer(rpc.id, { error: foreignVersion(version.slice(0, 64)) });
    const method = methods.get(rpc.method);
    if (!method) return answer(rpc.id, { error: { code: RPC_CODE.methodNotFound, message: "Method not found" } });
    // This is the only method without parameters.
    const given = rpc.params === undefined && method.verb === "extendedCard" ? {} : rpc.params;
    return await perform({ call, id: rpc.id, method, assistant }, given);
  } catch (thrown) {
    return answerThrown(call, thrown, describeCall("POST /a2a", call), (fault, requestId) =>
      faultAnswer(fault, requestId, { id: rpc.id, method: rpc.ok ? methods.get(rpc.method) : undefined }),
    );
  }
};

/** Faults: `too_large`, `unavailable`, `malformed` for a body that ends early. */
async function readRpc({ request, lease }: A2aCall): Promise<RpcRequest> {
  const text = await readText(request, lease);
  if (text.length <= LARGE_BYTES) return parseRpc(text);
  try {
    return rpcOf(await jsonOf(text, lease), true);
  } catch (thrown) {
    if (!isFault(thrown)) throw thrown;
    const code = thrown.code === "malformed" ? RPC_CODE.parse : RPC_CODE.invalidRequest;
    return { ok: false, id: null, error: { code, message: thrown.message } };
  }
}

const NO_JSON = { message: "Content-Type: expected application/json" };

/** A body without a type counts as JSON if the server has a key. Without one, a foreign page could send such a body. */
function isJson({ request, settings }: Pick<A2aRequest["call"], "request" | "settings">): boolean {
  const type = request.headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (type === "") return settings.apiKey !== undefined;
  return type === "application/json" || type === "application/a2a+json";
}

function foreignVersion(requested: string): RpcError {
  const message = `A2A version ${requested} is not supported`;
  return a2aError("VERSION_NOT_SUPPORTED", { message, metadata: { requested, supported: "0.3,1.0" } });
}

const VERBS: Record<MethodVerb, MethodHandler> = {
  send,
  stream: send,
  get,
  list,
  cancel,
  subscribe,
  setPushConfig,
  getPushConfig,
  listPushConfigs,
  deletePushConfig,
  async extendedCard({ call, assistant, method: { dialect } }) {
    const card = await extendedCard(call, assistant, dialect);
    // v0.3 and v1.0 have different errors for a missing card.
    if (!card) throw refused(dialect === "1.0" ? "UNSUPPORTED_OPERATION" : "EXTENDED_AGENT_CARD_NOT_CONFIGURED");
    return { result: card };
  },
};

/** Executes a method. A mistake of the client becomes a JSON-RPC error; faults of the engine are thrown. */
async function perform(request: Omit<A2aRequest, "params">, given: unknown): Promise<Response> {
  const { id, method } = request;
  try {
    const outcome = await VERBS[method.verb]({ ...request, params: accepted(parseParams(given)) });
    return outcome instanceof Response ? outcome : answer(id, outcome);
  } catch (thrown) {
    if (!(thrown instanceof RpcFailure)) throw thrown;
    return isReadAsStream(method) ? errorStream(id, thrown.error) : answer(id, { error: thrown.error });
  }
}

/** The official clients of v0.3 read the answers to these methods only as streams, including errors. */
function isReadAsStream({ verb, dialect }: Method): boolean {
  return dialect === "0.3" && (verb === "stream" || verb === "subscribe");
}

function answer(id: RpcId, outcome: RpcOutcome, init: ResponseInit = {}): Response {
  const headers = new Headers(init.headers);
  headers.set("content-type", "application/json");
  return new Response(encodeRpc(id, outcome), { ...init, headers });
}

/** HTTP status and JSON-RPC code of each fault. Clients read the code only of a 200, so 200 is used where possible. */
const FAULT_ANSWERS: Record<FaultCode, readonly [number, number]> = {
  malformed: [200, RPC_CODE.parse],
  invalid: [200, RPC_CODE.invalidParams],
  unauthorized: [401, RPC_CODE.unauthorized],
  forbidden: [403, RPC_CODE.unauthorized],
  not_found: [404, RPC_CODE.invalidParams],
  method_not_allowed: [405, RPC_CODE.methodNotFound],
  conflict: [200, RPC_CODE.internal],
  too_large: [413, RPC_CODE.invalidRequest],
  unsupported_type: [415, RPC_CODE.invalidRequest],
  too_many: [429, RPC_CODE.unauthorized],
  unavailable: [200, RPC_CODE.internal],
  internal: [200, RPC_CODE.internal],
};

interface CallContext {
  id: RpcId;
  /** Absent for an unknown method. */
  method?: Method;
}

function faultAnswer(fault: Fault, requestId: string, { id, method }: CallContext): Response {
  const [status, code] = FAULT_ANSWERS[fault.code];
  const headers = new Headers({ "x-request-id": requestId });
  const plain = faultResponse(fault, requestId).headers;
  for (const name of ["www-authenticate", "retry-after"]) {
    const value = plain.get(name);
    if (value !== null) headers.set(name, value);
  }
  const error = { code, message: fault.message };
  if (status === 200 && method && isReadAsStream(method)) return errorStream(id, error, headers);
  return answer(id, { error }, { status, headers });
}

/** Renders a fault as JSON-RPC that was thrown before the call was read. */
export function renderA2aFault(fault: Fault, requestId: string): Response {
  const response = faultAnswer(fault, requestId, { id: null });
  if (fault.code !== "unavailable") return response;
  return new Response(response.body, { status: 503, headers: response.headers });
}

/** Answers the HTTP methods that an A2A address does not have. */
export function refuseVerb(): Response {
  return new Response(null, { status: 405, headers: { allow: "GET, HEAD, POST, OPTIONS" } });
}
