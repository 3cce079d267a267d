/** Composes a request to an A2A endpoint of either generation from what a person has typed. */
import { type Dialect, methods, type MethodVerb } from "../../protocol/a2a.ts";
import { isObject, type JsonObject } from "../../protocol/json.ts";
import { errorMessage } from "../text/error-message.ts";

export type TriedVerb = Extract<
  MethodVerb,
  "send" | "stream" | "get" | "list" | "cancel" | "subscribe" | "extendedCard"
>;

export const triedVerbs: readonly TriedVerb[] = [
  "send",
  "stream",
  "get",
  "list",
  "cancel",
  "subscribe",
  "extendedCard",
];

export interface RequestDraft {
  readonly dialect: Dialect;
  readonly verb: TriedVerb;
  /** The form of the typed text: plain text, a data part as JSON, or all parameters as JSON. */
  readonly as: "text" | "data" | "params";
  readonly written: string;
  /** The id of the context; empty for none. */
  readonly contextId: string;
  readonly taskId: string;
  /** Set when the task is known to have ended, so that it accepts no message. */
  readonly over: boolean;
}

export interface Composed {
  readonly body: { readonly jsonrpc: "2.0"; readonly id: number; readonly method: string; readonly params: JsonObject };
  /** The header that names the generation. Clients of v0.3 send none. */
  readonly version: Readonly<Record<string, string>>;
  /** All headers of the request. */
  readonly headers: Readonly<Record<string, string>>;
}

export function methodNamed(dialect: Dialect, verb: TriedVerb): string {
  for (const [name, method] of methods) if (method.dialect === dialect && method.verb === verb) return name;
  return verb;
}

export const isStreaming = (verb: TriedVerb): boolean => verb === "stream" || verb === "subscribe";
export const takesMessage = (verb: TriedVerb): boolean => verb === "send" || verb === "stream";
export const takesTask = (verb: TriedVerb): boolean => verb === "get" || verb === "cancel" || verb === "subscribe";

/** The page size of a request for a list of tasks. */
const LISTED = 10;

/** Returns the request, or what is missing in the draft. */
export function compose(draft: RequestDraft, ids: { rpc: number; message: string }): Composed | { problem: string } {
  const params = draft.as === "params" ? writtenObject(draft.written) : paramsOf(draft, ids.message);
  if ("problem" in params) return params;
  const { dialect, verb } = draft;
  const version: Record<string, string> = dialect === "1.0" ? { "a2a-version": "1.0" } : {};
  const accept = isStreaming(verb) ? "text/event-stream" : "application/json";
  const method = methodNamed(dialect, verb);
  return {
    version,
    headers: { "content-type": "application/json", accept, ...version },
    body: { jsonrpc: "2.0", id: ids.rpc, method, params: params.value },
  };
}

type Params = { value: JsonObject } | { problem: string };

function paramsOf(draft: RequestDraft, messageId: string): Params {
  const { verb, taskId, contextId } = draft;
  if (takesMessage(verb)) return messageParams(draft, messageId);
  if (verb === "list") return { value: { pageSize: LISTED, ...(contextId !== "" && { contextId }) } };
  if (verb === "extendedCard") return { value: {} };
  return taskId === "" ? { problem: "Name a task: send a message first, or paste an id." } : { value: { id: taskId } };
}

function messageParams({ dialect, as, written, contextId, taskId, over }: RequestDraft, messageId: string): Params {
  const is03 = dialect === "0.3";
  const data = as === "data" ? writtenObject(written) : undefined;
  if (data && "problem" in data) return data;
  if (!data && written.trim() === "") return { problem: "Write a message." };
  const part = data
    ? { ...(is03 && { kind: "data" }), data: data.value, ...(!is03 && { mediaType: "application/json" }) }
    : { ...(is03 && { kind: "text" }), text: written };
  const message = {
    ...(is03 && { kind: "message" }),
    messageId,
    role: is03 ? "user" : "ROLE_USER",
    parts: [part],
    ...(contextId !== "" && { contextId }),
    ...(taskId !== "" && !over && { taskId }),
  };
  return { value: { message } };
}

function writtenObject(text: string): Params {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? { value } : { problem: "Write a JSON object, in braces." };
  } catch (error) {
    return { problem: `This is not JSON: ${errorMessage(error)}` };
  }
}
