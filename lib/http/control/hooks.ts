import * as hooks from "../../engine/control/hooks.ts";
import { Fault } from "../../protocol/faults.ts";
import type { controlOperations as operations } from "../../protocol/operations/control.ts";
import { PushPayload } from "../../protocol/push.ts";
import { isJson } from "../../rules/http/control-guard.ts";
import { publicUrl } from "../../rules/http/public-url.ts";
import { readDelivery, readEvent, readProof } from "../../rules/sources/git-push.ts";
import { jsonOf, readBytes, yieldToOthers } from "../body.ts";
import { LARGE_BYTES } from "../body-budget.ts";
import { parse } from "../parse.ts";
import { deploymentOf } from "./path.ts";
import type { ControlHandler } from "./endpoint.ts";

/** The largest push that is read, while its sender is still unknown. It has room for more than a thousand commits. */
const PUSH_BYTES = 5 * 1024 * 1024;

export const makeHook: ControlHandler<typeof operations.makeHook> = async (call) => {
  const secret = await hooks.makeHook(call.control, await deploymentOf(call));
  const url = `${publicUrl(call.request.headers, call.settings)}/api/hooks/git`;
  return Response.json({ url, secret }, { status: 201 });
};

export const removeHook: ControlHandler<typeof operations.removeHook> = async (call) => {
  await hooks.removeHook(call.control, await deploymentOf(call));
  return new Response(null, { status: 204 });
};

/** The signature over the body's bytes proves who sent a push. Nothing is parsed before a signature fits. */
export const push: ControlHandler<typeof operations.push> = async ({ platform, control, request, lease }) => {
  if (!isJson(request.headers.get("content-type"))) {
    throw new Fault("invalid", "Set the webhook's content type to application/json");
  }
  const headers = Object.fromEntries(request.headers);
  const proof = readProof(headers);
  // A secret that is sent in plain identifies the sender before the body is read.
  const known = !proof || "token" in proof ? await hooks.findSigners(platform, control, proof) : undefined;
  const body = await readBytes(request, lease, PUSH_BYTES);
  const isLarge = body.byteLength > LARGE_BYTES;
  if (isLarge) await lease.turn();
  const signers =
    known ?? (await hooks.findSigners(platform, control, proof, body, isLarge ? yieldToOthers : undefined));
  const payload = parse(PushPayload, await jsonOf(new TextDecoder().decode(body), lease), "body");
  const received = { event: readEvent(headers), payload, delivery: readDelivery(headers) };
  return Response.json(await hooks.receivePush(platform, control, signers, received), { status: 202 });
};
