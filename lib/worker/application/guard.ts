/** Runs the application's own handlers for authentication and authorization when the host asks. */
import { STATUS_CODES } from "node:http";
import type { GuardAnswer, GuardQuestion, GuardRefusal, Guards } from "../../protocol/auth.ts";
import { isObject } from "../../protocol/json.ts";
import type { HostMessage } from "../../protocol/worker.ts";
import { GraphLoadError, logFailure, toRunError } from "../failure.ts";
import { jsonOf } from "../plain.ts";

type AuthHandler = (argument: unknown) => unknown;

export interface Guard {
  readonly authenticate?: AuthHandler;
  readonly callbacks: ReadonlyMap<string, AuthHandler>;
}

/** The property in which an `Auth` of LangGraph's SDK keeps its handlers. Its class may be from any copy. */
const HANDLERS = "~handlerCache";

/** Returns the handlers of an `Auth`. Throws `GraphLoadError` for anything else. */
export function toGuard(exported: unknown): Guard {
  const handlers =
    typeof exported === "object" && exported !== null ? (exported as Record<string, unknown>)[HANDLERS] : undefined;
  if (!isObject(handlers)) throw new GraphLoadError("auth.path must name an Auth of @langchain/langgraph-sdk/auth");
  const { authenticate, callbacks } = handlers;
  const named = Object.entries(isObject(callbacks) ? callbacks : {});
  return {
    ...(isHandler(authenticate) && { authenticate }),
    callbacks: new Map(named.filter((entry): entry is [string, AuthHandler] => isHandler(entry[1]))),
  };
}

function isHandler(value: unknown): value is AuthHandler {
  return typeof value === "function";
}

export function guardsOf({ authenticate, callbacks }: Guard): Guards {
  return { authenticates: authenticate !== undefined, handlers: [...callbacks.keys()] };
}

/** Returns the line of the answer; never rejects. */
export async function answerGuard(
  guard: Guard | undefined,
  question: Extract<HostMessage, { type: "guard" }>,
): Promise<string> {
  const { id } = question;
  try {
    if (!guard) throw new GraphLoadError("The application has no auth module");
    return `${jsonOf({ type: "guarded", id, answer: await ask(guard, question) })}\n`;
  } catch (thrown) {
    logFailure(`The auth module failed (${question.do}):`, thrown);
    return `${jsonOf({ type: "guarded", id, error: toRunError(thrown) })}\n`;
  }
}

async function ask(guard: Guard, question: GuardQuestion): Promise<GuardAnswer> {
  try {
    if (question.do === "authenticate") {
      const { url, method, headers } = question.request;
      return { returned: await guard.authenticate?.(new Request(url, { method, headers })) };
    }
    const { handler, event, value, user } = question;
    const [resource, action] = event.split(":");
    const { permissions } = user;
    const returned = await guard.callbacks.get(handler)?.({ event, resource, action, value, permissions, user });
    return { returned: returned ?? null, value };
  } catch (thrown) {
    const refusal = refusalOf(thrown);
    if (refusal) return { refusal };
    throw thrown;
  }
}

/** Recognises a refusal by its shape, because its class may come from any copy of the SDK. */
function refusalOf(thrown: unknown): GuardRefusal | undefined {
  if (typeof thrown !== "object" || thrown === null || !("status" in thrown) || !("headers" in thrown))
    return undefined;
  const { status, headers } = thrown;
  if (typeof status !== "number" || !Number.isInteger(status) || status < 400 || status > 599) return undefined;
  const message = "message" in thrown && typeof thrown.message === "string" ? thrown.message : "";
  return { status, message: message || (STATUS_CODES[status] ?? "Refused"), headers: headersOf(headers) };
}

function headersOf(headers: unknown): [string, string][] {
  try {
    // This accepts a record, a list of pairs or a Headers, and throws for anything else.
    return [...new Headers(headers as HeadersInit)];
  } catch {
    return [];
  }
}
