import { type Access, OPEN_ACCESS } from "../engine/access.ts";
import { notServed } from "../engine/deployments.ts";
import type { Deployment, Platform } from "../engine/ports/ports.ts";
import { Fault, isRefusal } from "../protocol/faults.ts";
import { admit } from "./access.ts";
import { askApp, withHeaders } from "./app.ts";
import { configurableHeaders } from "../rules/runs/config.ts";
import { isShared } from "../rules/http/shared-address.ts";
import { type Caller, callerOf, requireKey, withoutKey } from "./auth.ts";
import type { BodyLease } from "./body-budget.ts";
import { allowOrigin, answerPreflight, refuseForeignPage } from "./cors.ts";
import { faultResponse, refusalResponse, toFault } from "./faults.ts";
import { endingWithSession } from "./session-stream.ts";
import type { HttpSettings, Surroundings } from "./settings.ts";
import { writtenPath } from "./written-url.ts";

type PathParams = Record<string, string | string[] | undefined>;
interface Context {
  params: Promise<PathParams>;
}
export type RouteHandler = (request: Request, context: Context) => Promise<Response>;

/** How a fault is told; JSON-RPC has its own way. */
export type RenderFault = (fault: Fault, requestId: string) => Response;

/** A request that was let in. */
export interface Inside {
  platform: Platform;
  deployment: Deployment;
  settings: HttpSettings;
  request: Request;
  /** What the request's body holds of the server's room; closed when the answer begins, at the latest. */
  lease: BodyLease;
  /** What the caller may do. */
  access: Access;
  /** Path parameters, decoded. */
  params: Readonly<Record<string, string>>;
}

export interface Door {
  /** Who comes here has to show who they are: always, never, or where the application wants that of its own routes. */
  guard: "always" | "never" | "routes";
  /** Whether it opens for a deployment that has no code to serve, too. */
  codeless: boolean;
  /** For the log. */
  what: string;
  renderFault: RenderFault;
}

/**
 * The one door of the API: finds the deployment, asks the application's own routes, checks the caller, lets `answer`
 * answer, and turns whatever is thrown into an answer. Nothing else authorises.
 */
export async function enter(
  { platform, settings }: Surroundings,
  door: Door,
  request: Request,
  context: Context,
  answer: (inside: Inside) => Response | Promise<Response>,
): Promise<Response> {
  const { deployment: name = "", ...params } = flat(await context.params);
  const deployment = platform.find(name);
  const lease = settings.bodies.open();
  let response: Response;
  let caller: Caller = {};
  try {
    caller = await callerOf(request, settings, deployment?.pass);
    const { holder } = caller;
    if (!deployment) {
      if (door.guard === "always") requireKey(request, settings, holder);
      throw new Fault("not_found", `No deployment named "${name}"`);
    }
    refuseForeignPage(request, deployment, settings);
    if (!deployment.config && !door.codeless) {
      if (door.guard === "always") requireKey(request, settings, holder);
      throw notServed(deployment);
    }
    const check = (): Promise<Access> => admit(request, deployment, settings, holder);
    const early = asksEarly(deployment, door) ? await check() : undefined;
    const asked = hasRoutes(deployment, door) ? await askApp(request, deployment, settings, lease) : undefined;
    if (asked?.response) response = asked.response;
    else {
      const access = early ?? (door.guard === "always" ? await check() : OPEN_ACCESS);
      const inside = { platform, deployment, settings, request: asked?.request ?? request, lease, access, params };
      response = withHeaders(await answer(inside), asked?.headers ?? []);
    }
  } catch (thrown) {
    const what = loggedAs(door.what, { request, deployment, settings });
    response = answerThrown({ platform, settings, request }, thrown, what, door.renderFault);
  } finally {
    lease.close();
  }
  const ending = await withoutBody(request, endingWithSession(response, settings.sessions, caller));
  return allowOrigin(ending, request, deployment, settings);
}

/** Cancels the body of an answer to HEAD: Next neither reads nor cancels it. */
export async function withoutBody({ method }: Request, response: Response): Promise<Response> {
  if (method !== "HEAD" || response.body === null) return response;
  await response.body.cancel();
  return new Response(null, response);
}

/** A call as the log names it, with the headers that the application wants to see there. */
export function loggedAs(
  what: string,
  { request, deployment, settings }: Pick<Inside, "request" | "settings"> & { deployment: Deployment | undefined },
): string {
  const rule = deployment?.config?.http.logging_headers;
  if (!rule) return what;
  return `${what} ${JSON.stringify(configurableHeaders(withoutKey(request.headers, settings.apiKey), rule))}`;
}

/** Whether the application has routes of its own to ask. Health is told of a worker that is down, too. */
function hasRoutes({ config, worker }: Deployment, { guard }: Door): boolean {
  if (config?.http.app === undefined) return false;
  return guard !== "never" || worker.state().status === "ready";
}

/** Whether callers are checked before the application's routes see them. */
function asksEarly({ config }: Deployment, { guard }: Door): boolean {
  if (config?.http.app === undefined || guard === "never") return false;
  return config.http.enable_custom_route_auth || config.http.middleware_order === "auth_first";
}

/** What a path answers that is no operation's: with a method of its own, or none. */
export function withoutOperation(
  surroundings: () => Surroundings,
  answer: (request: Request) => Response,
): RouteHandler {
  const door: Door = { guard: "routes", codeless: false, what: "a path without operation", renderFault: faultResponse };
  return (request, context) => enter(surroundings(), door, request, context, (inside) => answer(inside.request));
}

/** `OPTIONS` of every path of a deployment. */
export function preflight(surroundings: () => Surroundings): RouteHandler {
  const door: Door = { guard: "never", codeless: true, what: "a preflight", renderFault: faultResponse };
  return (request, context) =>
    enter(surroundings(), door, request, context, (inside) =>
      answerPreflight(inside.request, inside.deployment, inside.settings),
    );
}

export function noSuchRoute(request: Request): Fault {
  return new Fault("not_found", `No such route: ${request.method} ${writtenPath(request)}`);
}

/** What was thrown as an answer; what nobody threw on purpose is logged. */
export function answerThrown(
  { platform, settings, request }: Pick<Inside, "platform" | "settings" | "request">,
  thrown: unknown,
  what: string,
  renderFault: RenderFault,
): Response {
  if (isRefusal(thrown)) return refusalResponse(thrown, isShared(request.headers.get("host"), settings.publicUrl));
  const requestId = platform.newId();
  const fault = toFault(thrown, requestId);
  if (fault.code === "internal") platform.logger.error(`${what} ${requestId}`, thrown);
  return renderFault(fault, requestId);
}

function flat(params: PathParams): Record<string, string> {
  const entries = Object.entries(params).map(([name, value]): [string, string] => [name, decode(String(value))]);
  return Object.fromEntries(entries);
}

/** A path segment decoded once; a stray `%` is not worth a failure. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
