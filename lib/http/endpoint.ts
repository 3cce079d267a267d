import * as z from "zod";
import { Fault } from "../protocol/faults.ts";
import type { Body, Query } from "../protocol/operations.ts";
import type { Operation } from "../protocol/operations/operation.ts";
import { isSwitchedOff } from "../rules/api-part.ts";
import { readJson } from "./body.ts";
import { type Door, enter, type Inside, noSuchRoute, type RenderFault, type RouteHandler } from "./door.ts";
import { faultResponse } from "./faults.ts";
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

/** An operation of the contract: parses what was sent by its schemas, and calls the handler. */
export function endpoint<O extends Operation>(
  surroundings: () => Surroundings,
  operation: O,
  handle: Handle<Body<O>, Query<O>>,
  renderFault: RenderFault = faultResponse,
): RouteHandler {
  const door: Door = {
    guard: operation.access === "key" ? "always" : "never",
    what: `${operation.method} ${operation.path}`,
    renderFault,
  };
  return (request, context) =>
    enter(surroundings(), door, request, context, async (inside) => {
      if (isSwitchedOff(inside.deployment.config?.http, operation.path)) throw noSuchRoute(inside.request);
      const body = operation.body ? parse(operation.body, await readJson(inside.request), "body") : undefined;
      const query = operation.query ? parse(operation.query, queryOf(inside.request.url), "query") : undefined;
      return await handle({ ...inside, ...parsedInput<O>(body, query) });
    });
}

/** The schemas of the operation have just produced both values, which is what `Body` and `Query` say. */
function parsedInput<O extends Operation>(body: unknown, query: unknown): { body: Body<O>; query: Query<O> } {
  return { body: body as Body<O>, query: query as Query<O> };
}

/** Repeated keys become lists. */
function queryOf(url: string): Record<string, string | string[]> {
  const query = new Map<string, string | string[]>();
  for (const [name, value] of new URL(url, "http://localhost").searchParams) {
    const before = query.get(name);
    query.set(name, before === undefined ? value : [before, value].flat());
  }
  return Object.fromEntries(query);
}

function parse<S extends z.ZodType>(schema: S, value: unknown, where: string): z.infer<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map((issue) => ({ path: issue.path.join("."), message: expectation(issue) }));
  const first = issues[0];
  throw new Fault(
    "invalid",
    `Invalid ${where}: ${first?.path ? `${first.path}: ` : ""}${first?.message ?? "rejected"}`,
    {
      issues,
    },
  );
}

/** Of a union, what each of its members would have accepted. */
function expectation(issue: z.core.$ZodIssue): string {
  if (issue.code !== "invalid_union") return issue.message;
  const members = issue.errors.flatMap((branch) => branch.slice(0, 1).map(expectation));
  return members.length > 0 ? [...new Set(members)].join(", or ") : issue.message;
}
