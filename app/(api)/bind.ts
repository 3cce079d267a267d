import { endpoint, type Handler, type RenderFault, type RouteHandler } from "@/lib/http/endpoint.ts";
import { running } from "@/lib/platform.ts";
import type { Operation } from "@/lib/protocol/operations/operation.ts";

/** Binds an operation of the contract to the code that answers it, on this process's platform. */
export function bind<O extends Operation>(operation: O, handle: Handler<O>, renderFault?: RenderFault): RouteHandler {
  return endpoint(running, operation, handle, renderFault);
}
