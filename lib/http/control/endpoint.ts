import type * as z from "zod";
import type { ControlPlane } from "../../engine/ports/control.ts";
import type { Platform } from "../../engine/ports/ports.ts";
import { Fault } from "../../protocol/faults.ts";
import type { ControlOperation } from "../../protocol/operations/control.ts";
import { refuseCaller } from "../../rules/http/control-guard.ts";
import { type Caller, callerOf, requireKey } from "../auth.ts";
import { readJson } from "../body.ts";
import type { BodyLease } from "../body-budget.ts";
import { answerThrown, withoutBody } from "../door.ts";
import { faultResponse } from "../faults.ts";
import { parse, queryOf } from "../parse.ts";
import { endingWithSession } from "../session-stream.ts";
import type { HttpSettings, Surroundings } from "../settings.ts";

export interface ControlSurroundings extends Surroundings {
  control: ControlPlane;
}

type Body<O> = O extends { body: infer S extends z.ZodType } ? z.infer<S> : undefined;
type Query<O> = O extends { query: infer S extends z.ZodType } ? z.infer<S> : undefined;

/** A call of the control plane that was let in, with its input parsed. */
export interface ControlCall<B = undefined, Q = undefined> {
  platform: Platform;
  control: ControlPlane;
  settings: HttpSettings;
  request: Request;
  /** What the request's body holds of the server's room. */
  lease: BodyLease;
  params: Readonly<Record<string, string>>;
  body: B;
  query: Q;
}

export type ControlHandler<O extends ControlOperation> = (call: ControlCall<Body<O>, Query<O>>) => Promise<Response>;

interface Context {
  /** Undefined of a path without parameters. */
  params: Promise<Record<string, string | string[] | undefined> | undefined>;
}

/** The one door of the control plane: nothing else authorises. */
export function controlEndpoint<O extends ControlOperation>(
  surroundings: () => ControlSurroundings,
  operation: O,
  handle: ControlHandler<O>,
): (request: Request, context: Context) => Promise<Response> {
  return async (request, context) => {
    const { platform, control, settings } = surroundings();
    const what = `${operation.method} /api${operation.path}`;
    const lease = settings.bodies.open();
    try {
      const caller = operation.signed ? {} : await admit(request, settings);
      const params = Object.fromEntries(
        Object.entries((await context.params) ?? {}).map(([name, value]) => [name, String(value)]),
      );
      const body = operation.body ? parse(operation.body, await readJson(request, lease), "body") : undefined;
      const query = operation.query ? parse(operation.query, queryOf(request.url), "query") : undefined;
      const call = { platform, control, settings, request, lease, params, ...parsedInput<O>(body, query) };
      return await withoutBody(request, endingWithSession(await handle(call), settings.sessions, caller));
    } catch (thrown) {
      return answerThrown({ platform, settings, request }, thrown, what, faultResponse);
    } finally {
      lease.close();
    }
  };
}

/** Faults: `forbidden` for who may never, `unauthorized` for who has to show a key, `too_many` for who guesses. */
async function admit(request: Request, settings: HttpSettings): Promise<Caller> {
  const { headers, method } = request;
  const refusal = refuseCaller({
    method,
    host: headers.get("host"),
    origin: headers.get("origin"),
    site: headers.get("sec-fetch-site"),
    contentType: headers.get("content-type"),
    publicUrl: settings.publicUrl,
  });
  if (refusal !== undefined) throw new Fault("forbidden", refusal);
  const caller = await callerOf(request, settings);
  requireKey(request, settings, caller.holder);
  return caller;
}

/** The schemas of the operation have just produced both values, which is what `Body` and `Query` say. */
function parsedInput<O extends ControlOperation>(body: unknown, query: unknown): { body: Body<O>; query: Query<O> } {
  return { body: body as Body<O>, query: query as Query<O> };
}
