import type * as z from "zod";
import * as threadState from "../engine/threads/state.ts";
import type { operations } from "../protocol/operations.ts";
import { type StateAt, StateHistory } from "../protocol/threads.ts";
import { selectedState } from "../rules/threads/selected-state.ts";
import { permitThread } from "./access.ts";
import type { DeploymentCall, Handler } from "./endpoint.ts";

/** `GET /threads/{thread_id}/state` */
export const getThreadState: Handler<typeof operations.getThreadState> = (call) => answerState(call, call.query);

/** `GET /threads/{thread_id}/state/{checkpoint_id}` */
export const getThreadStateById: Handler<typeof operations.getThreadStateById> = (call) =>
  answerState(call, { ...call.query, checkpoint: { checkpoint_id: call.params.checkpoint_id } });

/** `POST /threads/{thread_id}/state/checkpoint` */
export const getThreadStateAt: Handler<typeof operations.getThreadStateAt> = (call) => answerState(call, call.body);

async function answerState(
  call: DeploymentCall,
  { checkpoint, subgraphs, select, value_limit: valueLimit }: Partial<z.infer<typeof StateAt>>,
): Promise<Response> {
  const { threadId } = await permitThread(call, "read");
  const options = { checkpoint, subgraphs, select, valueLimit };
  const state = await threadState.getThreadState(call.deployment, threadId, options);
  return Response.json(selectedState(state, select));
}

/** `POST /threads/{thread_id}/state` */
export const updateThreadState: Handler<typeof operations.updateThreadState> = async (call) => {
  const { threadId } = await permitThread(call, "update");
  return Response.json(await threadState.updateThreadState(call.platform, call.deployment, threadId, call.body));
};

/** `POST /threads/{thread_id}/history` */
export const getThreadHistory: Handler<typeof operations.getThreadHistory> = (call) => answerHistory(call, call.body);

/** `GET /threads/{thread_id}/history` */
export const listThreadHistory: Handler<typeof operations.listThreadHistory> = (call) =>
  answerHistory(call, StateHistory.parse(call.query));

async function answerHistory(call: DeploymentCall, query: StateHistory): Promise<Response> {
  const { threadId } = await permitThread(call, "read");
  return Response.json(await threadState.getThreadHistory(call.deployment, threadId, query));
}
