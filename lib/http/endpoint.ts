import type { Body, Query } from "../protocol/operations.ts";
import type { Operation } from "../protocol/operations/operation.ts";
import { isSwitchedOff } from "../rules/http/api-part.ts";
import { readJson } from "./body.ts";
import { requireJson } from "./cors.ts";
import { type Door, enter, type Inside, noSuchRoute, type RenderFault, type RouteHandler } from "./door.ts";
import { faultResponse } from "./faults.ts";
import { parse, queryOf } from "./parse.ts";
import type { Surroundings } from "./settings.ts";

/** A call whose caller is allowed and whose input is parsed. */
export type Call<O extends Operation> = CallWith<Body<O>, Query<O>>;

/** By what was sent, not by the operation: two operations that take the same can share a handler. */
interface CallWith<B, Q> extends Inside {
  body: B;
  query: Q;
}

export type Handle<B, Q> = (call: CallWith<B, Q>) => Promise<Response>;
export type Handler<O extends Operation> = Handle<Body<O>, Query<O>>;

/** The route of an operation (lib/protocol/operations.ts): parses what was sent by its schemas, and calls the handler. */
export function endpoint<O extends Operation>(
  surroundings: () => Surroundings,
  operation: O,
  handle: Handle<Body<O>, Query<O>>,
  renderFault: RenderFault = faultResponse,
): RouteHandler {
  const door: Door = {
    guard: operation.access === "key" ? "always" : "never",
    codeless: operation.codeless ?? false,
    what: `${operation.method} ${operation.path}`,
    renderFault,
  };
  return (request, context) =>
    enter(surroundings(), door, request, context, async (inside) => {
      if (isSwitchedOff(inside.deployment.config?.http, operation.path)) throw noSuchRoute(inside.request);
      if (operation.body) requireJson(inside.request, inside.settings);
      const body = operation.body
        ? parse(operation.body, await readJson(inside.request, inside.lease), "body")
        : undefined;
      const query = operation.query ? parse(operation.query, queryOf(inside.request.url), "query") : undefined;
      return await handle({ ...inside, ...parsedInput<O>(body, query) });
    });
}

/** The schemas of the operation have just produced both values, which is what `Body` and `Query` say. */
function parsedInput<O extends Operation>(body: unknown, query: unknown): { body: Body<O>; query: Query<O> } {
  return { body: body as Body<O>, query: query as Query<O> };
}
