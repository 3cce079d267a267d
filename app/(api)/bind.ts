import type { RenderFault, RouteHandler } from "#lib/http/call.ts";
import { controlEndpoint, type ControlHandler } from "#lib/http/control/endpoint.ts";
import { endpoint, type Handle, preflight as preflightOf, withoutOperation } from "#lib/http/endpoint.ts";
import { running } from "#lib/platform.ts";
import type { ControlOperation } from "#lib/protocol/operations/control.ts";
import type { Body, Operation, Query } from "#lib/protocol/operations/operation.ts";

/** Binds an operation to its handler, on the platform of this process. */
export function bind<O extends Operation>(
  operation: O,
  handle: Handle<Body<O>, Query<O>>,
  renderFault?: RenderFault,
): RouteHandler {
  return endpoint(running, operation, handle, renderFault);
}

/** Binds an operation of the control plane. */
export function bindControl<O extends ControlOperation>(operation: O, handle: ControlHandler<O>) {
  return controlEndpoint(running, operation, handle);
}

/** Binds a response that belongs to no operation. */
export function bindPlain(answer: (request: Request) => Response): RouteHandler {
  return withoutOperation(running, answer);
}

/** Handles `OPTIONS` on every path of a deployment. */
export const preflight = preflightOf(running);
