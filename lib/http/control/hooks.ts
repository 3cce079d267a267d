import { makeHook, receivePush, removeHook } from "../../engine/hooks.ts";
import { Fault } from "../../protocol/faults.ts";
import type { controlOperations as operations } from "../../protocol/operations/control.ts";
import { PushPayload } from "../../protocol/push.ts";
import { isJson } from "../../rules/control-guard.ts";
import { publicUrl } from "../../rules/public-url.ts";
import { readDelivery, readEvent, readProof } from "../../rules/push.ts";
import { jsonOf, readBytes } from "../body.ts";
import { parse } from "../parse.ts";
import { deploymentOf } from "./deployments.ts";
import type { ControlHandler } from "./endpoint.ts";

/** Of a thousand commits, with room: whoever sends it is not known yet. */
const PUSH_BYTES = 5 * 1024 * 1024;

export const make: ControlHandler<typeof operations.makeHook> = async (call) => {
  const secret = await makeHook(call.control, await deploymentOf(call));
  const url = `${publicUrl(call.request.headers, call.settings)}/api/hooks/git`;
  return Response.json({ url, secret }, { status: 201 });
};

export const remove: ControlHandler<typeof operations.removeHook> = async (call) => {
  await removeHook(call.control, await deploymentOf(call));
  return new Response(null, { status: 204 });
};

/** Whose push it is shows the signature over the bytes that came. */
export const push: ControlHandler<typeof operations.push> = async ({ platform, control, request }) => {
  if (!isJson(request.headers.get("content-type"))) {
    throw new Fault("invalid", "Set the webhook's content type to application/json");
  }
  const headers = Object.fromEntries(request.headers);
  const proof = readProof(headers);
  const body = await readBytes(request, PUSH_BYTES);
  const payload = parse(PushPayload, jsonOf(new TextDecoder().decode(body)), "body");
  const received = { event: readEvent(headers), payload, proof, body, delivery: readDelivery(headers) };
  return Response.json(await receivePush(platform, control, received), { status: 202 });
};
