import { readHistory, readState, updateState } from "../engine/thread-state.ts";
import type { operations } from "../protocol/operations.ts";
import { StateHistory, type ThreadState } from "../protocol/threads.ts";
import { permitThread } from "./access.ts";
import type { Handler } from "./endpoint.ts";

/** `GET /threads/{thread_id}/state` */
export const get: Handler<typeof operations.getThreadState> = async (call) => {
  const { threadId } = await permitThread(call, "read");
  const state = await readState(call.deployment, threadId, { subgraphs: call.query.subgraphs });
  return Response.json(selected(state, call.query.select));
};

/** `GET /threads/{thread_id}/state/{checkpoint_id}` */
export const getById: Handler<typeof operations.getThreadStateById> = async (call) => {
  const { threadId } = await permitThread(call, "read");
  const checkpoint = { checkpoint_id: call.params.checkpoint_id };
  const state = await readState(call.deployment, threadId, { checkpoint, subgraphs: call.query.subgraphs });
  return Response.json(selected(state, call.query.select));
};

/** `POST /threads/{thread_id}/state/checkpoint` */
export const getAt: Handler<typeof operations.getThreadStateAt> = async (call) => {
  const { threadId } = await permitThread(call, "read");
  const { checkpoint, subgraphs, select } = call.body;
  return Response.json(selected(await readState(call.deployment, threadId, { checkpoint, subgraphs }), select));
};

/** `POST /threads/{thread_id}/state` */
export const update: Handler<typeof operations.updateThreadState> = async (call) => {
  const { threadId } = await permitThread(call, "update");
  return Response.json(await updateState(call.platform, call.deployment, threadId, call.body));
};

/** `POST /threads/{thread_id}/history` */
export const history: Handler<typeof operations.getThreadHistory> = async (call) => {
  const { threadId } = await permitThread(call, "read");
  return Response.json(await readHistory(call.deployment, threadId, call.body));
};

/** `GET /threads/{thread_id}/history` */
export const listHistory: Handler<typeof operations.listThreadHistory> = async (call) => {
  const { threadId } = await permitThread(call, "read");
  return Response.json(await readHistory(call.deployment, threadId, StateHistory.parse(call.query)));
};

/** Only the members asked for, by their names. */
function selected(state: ThreadState, select: readonly string[] | undefined): object {
  if (!select) return state;
  return Object.fromEntries(Object.entries(state).filter(([key]) => select.includes(key)));
}
