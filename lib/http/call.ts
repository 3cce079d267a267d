/** The common part of all endpoints, of a deployment's API and of the control plane. */
import type * as z from "zod";
import { type Fault, isAppRefusal } from "../protocol/faults.ts";
import type { Body, Query } from "../protocol/operations/operation.ts";
import { isShared } from "../rules/http/shared-address.ts";
import type { RequestCaller } from "./auth.ts";
import { readJson } from "./body.ts";
import type { BodyLease } from "./body-budget.ts";
import { refusalResponse, toFault } from "./faults.ts";
import { parse, queryOf } from "./parse.ts";
import { endingWithSession } from "./session-stream.ts";
import type { HttpContext } from "./settings.ts";

export type PathParams = Readonly<Record<string, string>>;

/** The second argument that Next passes to a route. */
interface RouteContext {
  /** Undefined for a path without parameters. */
  params: Promise<Record<string, string | string[] | undefined> | undefined>;
}
export type RouteHandler = (request: Request, context: RouteContext) => Promise<Response>;

/** Renders a fault as a response. JSON-RPC has its own form. */
export type RenderFault = (fault: Fault, requestId: string) => Response;

export interface IncomingCall extends HttpContext {
  request: Request;
  /** Path parameters, decoded. */
  params: PathParams;
}

/** A call whose caller was admitted. */
export interface AdmittedCall extends IncomingCall {
  /** The part of the server's body budget that the request's body holds; closed when the answer begins, at the latest. */
  lease: BodyLease;
}

/** The steps in which endpoints differ. */
export interface CallSteps {
  /** Names the call in the log. */
  describe(): string;
  /** Finds out who is calling. Throws a fault for a caller that is refused. */
  identify(): Promise<RequestCaller>;
  answer(lease: BodyLease, caller: RequestCaller): Promise<Response>;
  renderFault: RenderFault;
}

/** Answers a call. An error becomes a response as well. */
export async function answerCall(call: IncomingCall, steps: CallSteps): Promise<Response> {
  const { request, settings } = call;
  const lease = settings.bodies.open();
  let response: Response;
  let caller: RequestCaller = {};
  try {
    caller = await steps.identify();
    response = await steps.answer(lease, caller);
  } catch (thrown) {
    response = answerThrown(call, thrown, steps.describe(), steps.renderFault);
  } finally {
    lease.close();
  }
  return await withoutBody(request, endingWithSession(response, settings.sessions, caller));
}

/** Cancels the body of an answer to HEAD: Next neither reads nor cancels it. */
export async function withoutBody({ method }: Request, response: Response): Promise<Response> {
  if (method !== "HEAD" || response.body === null) return response;
  await response.body.cancel();
  return new Response(null, response);
}

/** Turns an error into a response, and logs it if it is a bug. `what` names the call in the log. */
export function answerThrown(
  { platform, settings, request }: Pick<IncomingCall, "platform" | "settings" | "request">,
  thrown: unknown,
  what: string,
  renderFault: RenderFault,
): Response {
  if (isAppRefusal(thrown)) return refusalResponse(thrown, isShared(request.headers.get("host"), settings.publicUrl));
  const requestId = platform.newId();
  const fault = toFault(thrown, requestId);
  if (fault.code === "internal") platform.logger.error(`${what} ${requestId}`, thrown);
  return renderFault(fault, requestId);
}

/** Returns the path parameters. Next has decoded each once; decoding again would turn `%2541` into `A`. */
export async function pathParams({ params }: RouteContext): Promise<Record<string, string>> {
  const entries = Object.entries((await params) ?? {});
  return Object.fromEntries(entries.map(([name, value]): [string, string] => [name, String(value)]));
}

/** Body and query of a call, parsed by the schemas of its operation. */
export interface ParsedInput<B, Q> {
  body: B;
  query: Q;
}

/** Faults: `invalid` for input that the operation's schemas refuse; those of `readJson`. */
export async function parseInput<O extends { body?: z.ZodType; query?: z.ZodType }>(
  operation: O,
  request: Request,
  lease: BodyLease,
): Promise<ParsedInput<Body<O>, Query<O>>> {
  const body = operation.body ? parse(operation.body, await readJson(request, lease), "body") : undefined;
  const query = operation.query ? parse(operation.query, queryOf(request.url), "query") : undefined;
  return typed<O>(body, query);
}

/** Casts body and query. The operation's schemas have just produced them, so they have the types `Body` and `Query`. */
function typed<O>(body: unknown, query: unknown): ParsedInput<Body<O>, Query<O>> {
  return { body: body as Body<O>, query: query as Query<O> };
}
