/** Endpoints of a deployment's API. All calls of the API are authorised here. */
import { type Access, OPEN_ACCESS } from "../engine/access.ts";
import { notServed } from "../engine/deployments.ts";
import type { Deployment } from "../engine/ports/ports.ts";
import { Fault } from "../protocol/faults.ts";
import type { Body, Operation, Query } from "../protocol/operations/operation.ts";
import { isSwitchedOff } from "../rules/http/api-part.ts";
import { configurableHeaders } from "../rules/runs/config.ts";
import { admit } from "./access.ts";
import { askApp } from "./app.ts";
import { callerOf, type KeyHolder, requireKey, withoutKey } from "./auth.ts";
import {
  type AdmittedCall,
  answerCall,
  type IncomingCall,
  type ParsedInput,
  parseInput,
  pathParams,
  type RenderFault,
  type RouteHandler,
} from "./call.ts";
import { allowOrigin, answerPreflight, refuseForeignPage, requireJson } from "./cors.ts";
import { faultResponse } from "./faults.ts";
import type { HttpContext } from "./settings.ts";
import { withHeaders } from "./with-headers.ts";
import { writtenPath } from "./written-url.ts";

export interface DeploymentCall extends AdmittedCall {
  deployment: Deployment;
  /** The caller's permissions. */
  access: Access;
}

/** A call of an operation, with its input parsed. */
export type Call<O extends Operation> = DeploymentCall & ParsedInput<Body<O>, Query<O>>;
export type Handler<O extends Operation> = Handle<Body<O>, Query<O>>;

/** A handler for input of these types. Operations with the same input can share a handler. */
export type Handle<B, Q> = (call: DeploymentCall & ParsedInput<B, Q>) => Promise<Response>;

/** The conditions under which an endpoint admits callers. */
interface Admission {
  /** Callers are authenticated always, never, or if the application demands it for its own routes. */
  guard: "always" | "never" | "routes";
  /** The endpoint also answers for a deployment without code. */
  codeless?: boolean;
  /** Names the endpoint in the log. */
  what: string;
  /** Renders faults. By default they are plain text, or JSON with the issues of each field. */
  renderFault?: RenderFault;
}

/** Makes the endpoint of an operation (lib/protocol/operations.ts), which parses the input and calls the handler. */
export function endpoint<O extends Operation>(
  context: () => HttpContext,
  operation: O,
  handle: Handle<Body<O>, Query<O>>,
  renderFault?: RenderFault,
): RouteHandler {
  const admission: Admission = {
    guard: operation.open ? "never" : "always",
    codeless: operation.codeless,
    what: `${operation.method} ${operation.path}`,
    renderFault,
  };
  return deploymentRoute(context, admission, async (call) => {
    const { deployment, request, settings, lease } = call;
    if (isSwitchedOff(deployment.config?.http, operation.path)) throw noSuchRoute(request);
    if (operation.body) requireJson(request, settings);
    return await handle({ ...call, ...(await parseInput(operation, request, lease)) });
  });
}

/** Answers a method or a path that no operation has. */
export function withoutOperation(context: () => HttpContext, answer: (request: Request) => Response): RouteHandler {
  return deploymentRoute(context, { guard: "routes", what: "a path without operation" }, ({ request }) =>
    answer(request),
  );
}

/** `OPTIONS` of every path of a deployment. */
export function preflight(context: () => HttpContext): RouteHandler {
  const admission: Admission = { guard: "never", codeless: true, what: "a preflight" };
  return deploymentRoute(context, admission, ({ request, deployment, settings }) =>
    answerPreflight(request, deployment, settings),
  );
}

export function noSuchRoute(request: Request): Fault {
  return new Fault("not_found", `No such route: ${request.method} ${writtenPath(request)}`);
}

/** Names a call in the log, with the headers that the application's configuration selects. */
export function describeCall(
  what: string,
  { request, deployment, settings }: Pick<IncomingCall, "request" | "settings"> & { deployment?: Deployment },
): string {
  const rule = deployment?.config?.http.logging_headers;
  if (!rule) return what;
  return `${what} ${JSON.stringify(configurableHeaders(withoutKey(request.headers, settings.apiKey), rule))}`;
}

type AdmittedHandler = (call: DeploymentCall) => Response | Promise<Response>;

function deploymentRoute(context: () => HttpContext, admission: Admission, answer: AdmittedHandler): RouteHandler {
  return async (request, route) => {
    const { platform, settings } = context();
    const { deployment: name = "", ...params } = await pathParams(route);
    const deployment = platform.find(name);
    const call = { platform, settings, request, params };
    const response = await answerCall(call, {
      describe: () => describeCall(admission.what, { request, deployment, settings }),
      identify: () => callerOf(request, settings, deployment?.pass),
      async answer(lease, { holder }) {
        const refuse = (fault: Fault): never => {
          if (admission.guard === "always") requireKey(request, settings, holder);
          throw fault;
        };
        if (!deployment) return refuse(new Fault("not_found", `No deployment named "${name}"`));
        refuseForeignPage(request, deployment, settings);
        if (!deployment.config && !admission.codeless) return refuse(notServed(deployment));
        return await answerAdmitted({ ...call, lease, deployment }, admission, holder, answer);
      },
      renderFault: admission.renderFault ?? faultResponse,
    });
    return allowOrigin(response, request, deployment, settings);
  };
}

/** Lets the application's own routes answer first, and authenticates the caller before or after that. */
async function answerAdmitted(
  call: Omit<DeploymentCall, "access">,
  admission: Admission,
  holder: KeyHolder | undefined,
  answer: AdmittedHandler,
): Promise<Response> {
  const { request, deployment, settings, lease } = call;
  const check = (): Promise<Access> => admit(request, deployment, settings, holder);
  const early = checksEarly(deployment, admission) ? await check() : undefined;
  const app = hasRoutes(deployment, admission) ? await askApp(request, deployment, settings, lease) : undefined;
  if (app?.response) return app.response;
  const access = early ?? (admission.guard === "always" ? await check() : OPEN_ACCESS);
  return withHeaders(await answer({ ...call, request: app?.request ?? request, access }), app?.headers ?? []);
}

/** Returns whether the application's own routes are asked. Health is answered even while the worker is down. */
function hasRoutes({ config, worker }: Deployment, { guard }: Admission): boolean {
  if (config?.http.app === undefined) return false;
  return guard !== "never" || worker.state().status === "ready";
}

/** Returns whether callers are authenticated before the application's routes are asked. */
function checksEarly({ config }: Deployment, { guard }: Admission): boolean {
  if (config?.http.app === undefined || guard === "never") return false;
  return config.http.enable_custom_route_auth || config.http.middleware_order === "auth_first";
}
