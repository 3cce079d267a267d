import { readHistory, readState, updateState } from "../engine/threads/state.ts";
import type { operations } from "../protocol/operations.ts";
import { StateHistory } from "../protocol/threads.ts";
import { selectedState } from "../rules/threads/selected-state.ts";
import { permitThread } from "./access.ts";
import type { Handler } from "./endpoint.ts";

/** `GET /threads/{thread_id}/state` */
export const get: Handler<typeof operations.getThreadState> = async (call) => {
  const { threadId } = await permitThread(call, "read");
  const state = await readState(call.deployment, threadId, { subgraphs: call.query.subgraphs });
  return Response.json(selectedState(state, call.query.select));
};

/** `GET /threads/{thread_id}/state/{checkpoint_id}` */
export const getById: Handler<typeof operations.getThreadStateById> = async (call) => {
  const { threadId } = await permitThread(call, "read");
  const checkpoint = { checkpoint_id: call.params.checkpoint_id };
  const state = await readState(call.deployment, threadId, { checkpoint, subgraphs: call.query.subgraphs });
  return Response.json(selectedState(state, call.query.select));
};

/** `POST /threads/{thread_id}/state/checkpoint` */
export const getAt: Handler<typeof operations.getThreadStateAt> = async (call) => {
  const { threadId } = await permitThread(call, "read");
  const { checkpoint, subgraphs, select } = call.body;
  return Response.json(selectedState(await readState(call.deployment, threadId, { checkpoint, subgraphs }), select));
};

/** `POST /threads/{thread_id}/state` */
export const update: Handler<typeof operations.updateThreadState> = async (call) => {
  const { threadId } = await permitThread(call, "update");
  return Response.json(await updateState(call.platform, call.deployment, threadId, call.body));
};

/** `POST /threads/{thread_id}/history` */
export const history: Handler<typeof operations.getThreadHistory> = async (call) => {
  const { threadId } = await permitThread(call, "read");
  const states = await readHistory(call.deployment, threadId, call.body);
  return Response.json(states.map((state) => selectedState(state, call.body.select)));
};

/** `GET /threads/{thread_id}/history` */
export const listHistory: Handler<typeof operations.listThreadHistory> = async (call) => {
  const { threadId } = await permitThread(call, "read");
  const asked = StateHistory.parse(call.query);
  const states = await readHistory(call.deployment, threadId, asked);
  return Response.json(states.map((state) => selectedState(state, asked.select)));
};
