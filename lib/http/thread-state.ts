import * as threadState from "../engine/threads/state.ts";
import type { operations } from "../protocol/operations.ts";
import { StateHistory } from "../protocol/threads.ts";
import { selectedState } from "../rules/threads/selected-state.ts";
import { permitThread } from "./access.ts";
import type { Handler } from "./endpoint.ts";

/** `GET /threads/{thread_id}/state` */
export const getThreadState: Handler<typeof operations.getThreadState> = async (call) => {
  const { threadId } = await permitThread(call, "read");
  const state = await threadState.getThreadState(call.deployment, threadId, { subgraphs: call.query.subgraphs });
  return Response.json(selectedState(state, call.query.select));
};

/** `GET /threads/{thread_id}/state/{checkpoint_id}` */
export const getThreadStateById: Handler<typeof operations.getThreadStateById> = async (call) => {
  const { threadId } = await permitThread(call, "read");
  const { subgraphs, select } = call.query;
  const checkpoint = { checkpoint_id: call.params.checkpoint_id };
  const state = await threadState.getThreadState(call.deployment, threadId, { checkpoint, subgraphs });
  return Response.json(selectedState(state, select));
};

/** `POST /threads/{thread_id}/state/checkpoint` */
export const getThreadStateAt: Handler<typeof operations.getThreadStateAt> = async (call) => {
  const { threadId } = await permitThread(call, "read");
  const { checkpoint, subgraphs, select } = call.body;
  const state = await threadState.getThreadState(call.deployment, threadId, { checkpoint, subgraphs });
  return Response.json(selectedState(state, select));
};

/** `POST /threads/{thread_id}/state` */
export const updateThreadState: Handler<typeof operations.updateThreadState> = async (call) => {
  const { threadId } = await permitThread(call, "update");
  return Response.json(await threadState.updateThreadState(call.platform, call.deployment, threadId, call.body));
};

/** `POST /threads/{thread_id}/history` */
export const getThreadHistory: Handler<typeof operations.getThreadHistory> = async (call) => {
  const { threadId } = await permitThread(call, "read");
  const states = await threadState.getThreadHistory(call.deployment, threadId, call.body);
  return Response.json(states.map((state) => selectedState(state, call.body.select)));
};

/** `GET /threads/{thread_id}/history` */
export const listThreadHistory: Handler<typeof operations.listThreadHistory> = async (call) => {
  const { threadId } = await permitThread(call, "read");
  const query = StateHistory.parse(call.query);
  const states = await threadState.getThreadHistory(call.deployment, threadId, query);
  return Response.json(states.map((state) => selectedState(state, query.select)));
};
