import { getThread as getStoredThread, isThreadVisible } from "../engine/threads/find-thread.ts";
import * as threads from "../engine/threads/threads.ts";
import { Fault, isFault } from "../protocol/faults.ts";
import type { operations } from "../protocol/operations.ts";
import { ThreadCount, ThreadCreate, ThreadPatch, ThreadSearch } from "../protocol/threads.ts";
import { permitThread } from "./access.ts";
import type { Handler } from "./endpoint.ts";
import { answerCount, answerSearch } from "./search.ts";

/** `POST /threads` */
export const createThread: Handler<typeof operations.createThread> = async ({ platform, deployment, access, body }) => {
  const thread_id = body.thread_id ?? platform.newId();
  const fields = { thread_id, metadata: body.metadata ?? {}, if_exists: body.if_exists };
  const { value, visible } = await access.permit("threads:create", fields);
  const request = ThreadCreate.parse({ ...body, ...value });
  return Response.json(await threads.createThread(platform, deployment, request, visible));
};

/** `POST /threads/search` */
export const searchThreads: Handler<typeof operations.searchThreads> = (call) =>
  answerSearch(call, "threads:search", ThreadSearch, threads.searchThreads);

/** `POST /threads/count` */
export const countThreads: Handler<typeof operations.countThreads> = (call) =>
  answerCount(call, "threads:search", ThreadCount, threads.countThreads);

/** `POST /threads/prune` */
export const pruneThreads: Handler<typeof operations.pruneThreads> = async ({ deployment, access, body }) => {
  const ids: string[] = [];
  for (const thread_id of new Set(body.thread_ids)) {
    const { visible } = await access.permit("threads:delete", { thread_id });
    if (await isThreadVisible(deployment, thread_id, visible)) ids.push(thread_id);
  }
  return Response.json({ pruned_count: await threads.pruneThreads(deployment, ids, body.strategy) });
};

/** `GET /threads/{thread_id}` */
export const getThread: Handler<typeof operations.getThread> = async (call) => {
  const { threadId } = await permitThread(call, "read");
  return Response.json(threads.shownThread(await getStoredThread(call.deployment, threadId)));
};

/** `PATCH /threads/{thread_id}` */
export const updateThread: Handler<typeof operations.updateThread> = async (call) => {
  const { threadId, value } = await permitThread(call, "update", { metadata: call.body.metadata ?? {} });
  const change = ThreadPatch.parse({ ...call.body, metadata: value.metadata });
  const thread = await threads.updateThread(call.platform, call.deployment, threadId, change);
  const minimal = call.request.headers.get("prefer")?.includes("return=minimal") ?? false;
  return minimal ? new Response(null, { status: 204 }) : Response.json(thread);
};

/** `DELETE /threads/{thread_id}` */
export const deleteThread: Handler<typeof operations.deleteThread> = async (call) => {
  const { threadId } = await permitThread(call, "delete");
  await threads.deleteThread(call.deployment, threadId);
  return new Response(null, { status: 204 });
};

/** `POST /threads/{thread_id}/copy` */
export const copyThread: Handler<typeof operations.copyThread> = async (call) => {
  try {
    const { threadId } = await permitThread(call, "read");
    const { thread_id, checkpoint_id } = call.body;
    const created = { metadata: {}, if_exists: "raise", ...(thread_id !== undefined && { thread_id }) };
    const { value } = await call.access.permit("threads:create", created);
    const { metadata } = ThreadPatch.parse({ metadata: value.metadata });
    const options = { thread_id, checkpoint_id, metadata };
    return Response.json(await threads.copyThread(call.platform, call.deployment, threadId, options));
  } catch (error) {
    // Clients of an application with authorization expect a refused copy to fail like a refused creation.
    if (call.access.user && isFault(error) && error.code === "not_found") throw new Fault("conflict", error.message);
    throw error;
  }
};
