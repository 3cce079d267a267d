import * as z from "zod";
import type { ApiKey, Deployment, Platform } from "../engine/ports.ts";
import { Fault } from "../protocol/faults.ts";
import type { Body, Query } from "../protocol/operations.ts";
import type { Operation } from "../protocol/operations/operation.ts";
import { requireKey } from "./auth.ts";
import { readJson } from "./body.ts";
import { allowOrigin } from "./cors.ts";
import { faultResponse, toFault } from "./faults.ts";

/** What the transport needs to know of its surroundings. */
export interface HttpSettings {
  /** Required of callers, where set. */
  apiKey?: ApiKey;
  publicUrl?: string;
  trustProxy: boolean;
}

/** A call whose caller is allowed and whose input is parsed. */
export interface Call<O extends Operation> {
  platform: Platform;
  deployment: Deployment;
  settings: HttpSettings;
  request: Request;
  /** Path parameters, decoded. */
  params: Readonly<Record<string, string>>;
  body: Body<O>;
  query: Query<O>;
}

export type Handler<O extends Operation> = (call: Call<O>) => Promise<Response>;

export interface Surroundings {
  platform: Platform;
  settings: HttpSettings;
}

type PathParams = Record<string, string | string[] | undefined>;
export type RouteHandler = (request: Request, context: { params: Promise<PathParams> }) => Promise<Response>;

/** How a fault is told; JSON-RPC has its own way. */
export type RenderFault = (fault: Fault, requestId: string) => Response;

/**
 * The one door of the API: finds the deployment, checks the caller, parses what was sent by the operation's schemas,
 * calls the handler, and turns whatever is thrown into an answer. Nothing else authorises.
 */
export function endpoint<O extends Operation>(
  surroundings: () => Surroundings,
  operation: O,
  handle: Handler<O>,
  renderFault: RenderFault = faultResponse,
): RouteHandler {
  return async (request, context) => {
    const { platform, settings } = surroundings();
    let response: Response;
    try {
      if (operation.access === "key") requireKey(request, settings.apiKey);
      const { deployment: name, ...params } = flat(await context.params);
      const deployment = platform.find(name ?? "");
      if (!deployment) throw new Fault("not_found", `No deployment named "${name}"`);
      const body = operation.body ? parse(operation.body, await readJson(request), "body") : undefined;
      const query = operation.query ? parse(operation.query, queryOf(request.url), "query") : undefined;
      response = await handle({
        platform,
        deployment,
        settings,
        request,
        params,
        ...parsedInput<O>(body, query),
      });
    } catch (thrown) {
      const requestId = platform.newId();
      const fault = toFault(thrown, requestId);
      if (fault.code === "internal")
        platform.logger.error(`${operation.method} ${operation.path} ${requestId}`, thrown);
      response = renderFault(fault, requestId);
    }
    return allowOrigin(response);
  };
}

/** The schemas of the operation have just produced both values, which is what `Body` and `Query` say. */
function parsedInput<O extends Operation>(body: unknown, query: unknown): { body: Body<O>; query: Query<O> } {
  return { body: body as Body<O>, query: query as Query<O> };
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
