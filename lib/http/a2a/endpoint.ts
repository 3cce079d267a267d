import { findAssistant } from "../engine/assistants.ts";
import { findTask, followTask, isTaskVisible, readIntake, readTask, startTask } from "../engine/tasks.ts";
import { a2aError, isResting, isTerminal, isVersionSpoken, methods, type Method } from "../protocol/a2a.ts";
import { parseGet, parseParams, parseSend, type SendParams } from "../protocol/a2a-input.ts";
import { renderings } from "../protocol/a2a-render.ts";
import type { Assistant } from "../protocol/assistants.ts";
import type { Fault, FaultCode } from "../protocol/faults.ts";
import type { JsonObject } from "../protocol/json.ts";
import {
  encodeRpc,
  invalidParams,
  parseRpc,
  RPC_CODE,
  type RpcError,
  type RpcId,
  type RpcOutcome,
} from "../protocol/jsonrpc.ts";
import type { operations } from "../protocol/operations.ts";
import type { StoredTask } from "../protocol/tasks.ts";
import { streamModesOf, toRun } from "../rules/a2a.ts";
import { beginTask, stateOf, taskOf, type Heard } from "../rules/a2a-fold.ts";
import { taskStream } from "./a2a-stream.ts";
import { a2aVersion, requireA2a } from "./agent-card.ts";
import { readText } from "./body.ts";
import { answerThrown, loggedAs } from "./door.ts";
import type { Call, Handler } from "./endpoint.ts";
import { faultResponse } from "./faults.ts";
import { callerOf } from "./run-start.ts";

type A2aCall = Call<typeof operations.sendA2a>;

/** A call whose envelope, version and method are understood. */
interface Asked {
  readonly call: A2aCall;
  readonly id: RpcId;
  readonly method: Method;
  readonly params: JsonObject;
  readonly assistant: Assistant;
}

/** `POST /a2a/{assistant_id}`: every method of both generations. */
export const sendA2a: Handler<typeof operations.sendA2a> = async (call) => {
  requireA2a(call.deployment);
  const rpc = parseRpc(await readText(call.request));
  try {
    const assistant = await findAssistant(call.platform, call.deployment, call.params.assistant_id ?? "");
    if (!isJson(call.request)) return answer(rpc.id, { error: a2aError("CONTENT_TYPE_NOT_SUPPORTED", NO_JSON) });
    if (!rpc.ok) return answer(rpc.id, rpc);
    const version = a2aVersion(call.request);
    if (!isVersionSpoken(version)) return answer(rpc.id, { error: foreignVersion(version.slice(0, 64)) });
    const method = methods.get(rpc.method);
    if (!method) return answer(rpc.id, { error: { code: RPC_CODE.methodNotFound, message: "Method not found" } });
    return await perform(call, rpc.id, method, rpc.params, assistant);
  } catch (thrown) {
    return answerThrown(call.platform, thrown, loggedAs("POST /a2a", call), (fault, requestId) =>
      faultAnswer(fault, requestId, rpc.id),
    );
  }
};

const NO_JSON = { message: "Content-Type: expected application/json" };

/** A body without a type is taken for JSON. */
function isJson(request: Request): boolean {
  const type = request.headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  return type === "" || type === "application/json" || type === "application/a2a+json";
}

function foreignVersion(requested: string): RpcError {
  const message = `A2A version ${requested} is not supported`;
  return a2aError("VERSION_NOT_SUPPORTED", { message, metadata: { requested, supported: "0.3,1.0" } });
}

/** Faults of the engine pass; what the client did wrong is answered. */
async function perform(
  call: A2aCall,
  id: RpcId,
  method: Method,
  given: unknown,
  assistant: Assistant,
): Promise<Response> {
  const unasked = given === undefined && method.verb === "extendedCard";
  const params = parseParams(unasked ? {} : given);
  if (!params.ok) return answer(id, params);
  const asked: Asked = { call, id, method, params: params.value, assistant };
  switch (method.verb) {
    case "send":
    case "stream":
      return await send(asked);
    case "get":
      return await get(asked);
    case "push":
      return answer(id, { error: a2aError("PUSH_NOTIFICATION_NOT_SUPPORTED") });
    case "list":
    case "cancel":
    case "subscribe":
    case "extendedCard":
      return answer(id, { error: a2aError("UNSUPPORTED_OPERATION") });
  }
}

async function get({ call, id, method, params, assistant }: Asked): Promise<Response> {
  const read = parseGet(params);
  if (!read.ok) return answer(id, read);
  const { id: taskId, historyLength } = read.value;
  const task = await visibleTask(call, assistant, taskId);
  const heard = task && (await readTask(call.deployment, task));
  if (!task || !heard) return answer(id, { error: notFound(taskId) });
  return answer(id, { result: renderings[method.dialect].task(taskOf(task, heard, historyLength)) });
}

async function send(asked: Asked): Promise<Response> {
  const { call, id, method } = asked;
  const read = parseSend(asked.params, method.dialect);
  if (!read.ok) return answer(id, read);
  if (read.value.push) return answer(id, { error: a2aError("PUSH_NOTIFICATION_NOT_SUPPORTED") });
  const started = await start(asked, read.value);
  if ("error" in started) return answer(id, started);
  const { task, stored } = started;
  const { wait, historyLength } = read.value;
  if (method.verb === "stream") {
    await stored;
    return taskStream(call.platform, call.deployment, task, { id, dialect: method.dialect, historyLength });
  }
  const [heard] = await Promise.all([wait ? hearOut(call, task) : beginTask(task), stored]);
  return answer(id, { result: renderings[method.dialect].sent(taskOf(task, heard, historyLength)) });
}

/** A new task for what was sent, or why there is none. */
async function start(
  asked: Asked,
  { message, metadata, ...sent }: SendParams,
): Promise<Awaited<ReturnType<typeof startTask>> | { error: RpcError }> {
  const { platform, deployment } = asked.call;
  const before = sent.taskId === undefined ? undefined : await earlierTask(asked, sent.taskId, sent.contextId);
  if (before && "error" in before) return before;
  const contextId = before?.context_id ?? sent.contextId ?? platform.newId();
  const messageId = sent.messageId ?? platform.newId();
  const intake = await readIntake(deployment, asked.assistant.graph_id);
  const run = toRun({ messageId, parts: message.parts }, intake);
  if (!run.ok) {
    if (run.because === "content_type") return { error: a2aError("CONTENT_TYPE_NOT_SUPPORTED", run) };
    return { error: invalidParams([{ field: "message.parts", description: run.message }]) };
  }
  return await startTask(platform, deployment, {
    assistant: asked.assistant,
    message: { ...message, messageId },
    contextId,
    input: run.input,
    streamMode: streamModesOf(intake, asked.method.verb === "stream"),
    ...callerOf(asked.call),
    metadata,
  });
}

async function visibleTask(call: A2aCall, { assistant_id }: Assistant, id: string): Promise<StoredTask | undefined> {
  const task = await findTask(call.deployment, assistant_id, id);
  return task && (await isTaskVisible(call.deployment, call.access, task)) ? task : undefined;
}

/** The task that a message names, when another may follow it in its context. */
async function earlierTask(
  { call, method, assistant }: Asked,
  taskId: string,
  contextId: string | undefined,
): Promise<StoredTask | { error: RpcError }> {
  const task = await visibleTask(call, assistant, taskId);
  const heard = task && (await readTask(call.deployment, task));
  if (!task || !heard) return { error: notFound(taskId) };
  if (contextId !== undefined && contextId !== task.context_id) {
    return { error: invalidParams([{ field: "message.contextId", description: "expected the context of the task" }]) };
  }
  const state = stateOf(heard);
  // Widely copied samples send the finished task's id with every turn: in v0.3 a new task follows it.
  if (isTerminal(state) && method.dialect === "0.3") return task;
  const message = isTerminal(state)
    ? `Task ${taskId} is ${state} and takes no more messages`
    : isResting(state)
      ? "Answering a task that waits for input is not supported yet"
      : `Task ${taskId} is ${state}: wait for its end`;
  return { error: a2aError("UNSUPPORTED_OPERATION", { message, metadata: { taskId } }) };
}

async function hearOut({ platform, deployment, request }: A2aCall, task: StoredTask): Promise<Heard> {
  let heard = beginTask(task);
  for await (const hearing of followTask(platform, deployment, task, request.signal)) heard = hearing.heard;
  return heard;
}

function notFound(taskId: string): RpcError {
  return a2aError("TASK_NOT_FOUND", { metadata: { taskId } });
}

function answer(id: RpcId, outcome: RpcOutcome, init: ResponseInit = {}): Response {
  const headers = new Headers(init.headers);
  headers.set("content-type", "application/json");
  return new Response(encodeRpc(id, outcome), { ...init, headers });
}

/** HTTP status and JSON-RPC code of each fault. Clients read the code of a 200 only, so it is 200 where it can be. */
const TOLD_AS: Record<FaultCode, readonly [number, number]> = {
  malformed: [200, RPC_CODE.parse],
  invalid: [200, RPC_CODE.invalidParams],
  unauthorized: [401, RPC_CODE.unauthorized],
  forbidden: [403, RPC_CODE.unauthorized],
  not_found: [404, RPC_CODE.invalidParams],
  method_not_allowed: [405, RPC_CODE.methodNotFound],
  conflict: [200, RPC_CODE.internal],
  too_large: [413, RPC_CODE.invalidRequest],
  unavailable: [200, RPC_CODE.internal],
  internal: [200, RPC_CODE.internal],
};

function faultAnswer(fault: Fault, requestId: string, id: RpcId): Response {
  const [status, code] = TOLD_AS[fault.code];
  const headers = new Headers({ "x-request-id": requestId });
  const plain = faultResponse(fault, requestId).headers;
  for (const name of ["www-authenticate", "retry-after"]) {
    const value = plain.get(name);
    if (value !== null) headers.set(name, value);
  }
  return answer(id, { error: { code, message: fault.message } }, { status, headers });
}

/** A fault from before the call was read, as JSON-RPC. */
export function renderA2aFault(fault: Fault, requestId: string): Response {
  const answered = faultAnswer(fault, requestId, null);
  if (fault.code !== "unavailable") return answered;
  return new Response(answered.body, { status: 503, headers: answered.headers });
}

/** What other verbs than POST get at an A2A address. */
export function refuseVerb(): Response {
  return new Response(null, { status: 405, headers: { allow: "POST, OPTIONS" } });
}
