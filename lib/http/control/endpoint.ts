/** Endpoints of the control plane. All its calls are authorised here. */
import type { ControlPlane } from "../../engine/ports/control.ts";
import { Fault } from "../../protocol/faults.ts";
import type { ControlOperation } from "../../protocol/operations/control.ts";
import type { Body, Query } from "../../protocol/operations/operation.ts";
import { refuseCaller } from "../../rules/http/control-guard.ts";
import { type RequestCaller, callerOf, requireKey } from "../auth.ts";
import { type AdmittedCall, answerCall, type ParsedInput, parseInput, pathParams, type RouteHandler } from "../call.ts";
import { faultResponse } from "../faults.ts";
import type { HttpContext, HttpSettings } from "../settings.ts";

interface ControlContext extends HttpContext {
  control: ControlPlane;
}

/** A call of the control plane, with its input parsed. */
export type ControlCall<B = undefined, Q = undefined> = AdmittedCall & ControlContext & ParsedInput<B, Q>;
export type ControlHandler<O extends ControlOperation> = (call: ControlCall<Body<O>, Query<O>>) => Promise<Response>;

export function controlEndpoint<O extends ControlOperation>(
  context: () => ControlContext,
  operation: O,
  handle: ControlHandler<O>,
): RouteHandler {
  return async (request, route) => {
    const { platform, control, settings } = context();
    const call = { platform, settings, request, params: await pathParams(route) };
    return await answerCall(call, {
      describe: () => `${operation.method} /api${operation.path}`,
      identify: async () => (operation.signed ? {} : await admit(request, settings)),
      answer: async (lease) =>
        await handle({ ...call, control, lease, ...(await parseInput(operation, request, lease)) }),
      renderFault: faultResponse,
    });
  };
}

/** Faults: `forbidden` for a foreign page, `unauthorized` without the key, `too_many` after many wrong keys. */
async function admit(request: Request, settings: HttpSettings): Promise<RequestCaller> {
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
