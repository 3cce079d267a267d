import { getThread } from "../engine/threads/find-thread.ts";
import {
  copyThread,
  countThreads,
  createThread,
  deleteThread,
  pruneThreads,
  searchThreads,
  shownThread,
  updateThread,
} from "../engine/threads/threads.ts";
import { Fault, isFault } from "../protocol/faults.ts";
import type { operations } from "../protocol/operations.ts";
import { ThreadCount, ThreadCreate, ThreadPatch, ThreadSearch } from "../protocol/threads.ts";
import { isVisible } from "../rules/visibility.ts";
import { permitThread } from "./access.ts";
import type { Handler } from "./endpoint.ts";

/** `POST /threads` */
export const create: Handler<typeof operations.createThread> = async ({ platform, deployment, access, body }) => {
  const thread_id = body.thread_id ?? platform.newId();
  const asked = { thread_id, metadata: body.metadata ?? {}, if_exists: body.if_exists };
  const { value, visible } = await access.permit("threads:create", asked);
  const request = ThreadCreate.parse({ ...body, ...value });
  return Response.json(await createThread(platform, deployment, request, visible));
};

/** `POST /threads/search` */
export const search: Handler<typeof operations.searchThreads> = async ({ deployment, access, body }) => {
  const { value, visible } = await access.permit("threads:search", { ...body });
  const page = await searchThreads(deployment, ThreadSearch.parse(value), visible);
  const headers = new Headers({ "x-pagination-total": String(page.total) });
  if (page.next !== undefined) headers.set("x-pagination-next", String(page.next));
  return Response.json(page.threads, { headers });
};

/** `POST /threads/count` */
export const count: Handler<typeof operations.countThreads> = async ({ deployment, access, body }) => {
  const { value, visible } = await access.permit("threads:search", { ...body, limit: 0, offset: 0 });
  return Response.json(await countThreads(deployment, ThreadCount.parse(value), visible));
};

/** `POST /threads/prune` */
export const prune: Handler<typeof operations.pruneThreads> = async ({ deployment, access, body }) => {
  const ids: string[] = [];
  for (const thread_id of new Set(body.thread_ids)) {
    const { visible } = await access.permit("threads:delete", { thread_id });
    const thread = visible && (await deployment.threads.get(thread_id));
    if (!thread || isVisible(visible, thread.metadata)) ids.push(thread_id);
  }
  return Response.json({ pruned_count: await pruneThreads(deployment, ids, body.strategy) });
};

/** `GET /threads/{thread_id}` */
export const get: Handler<typeof operations.getThread> = async (call) => {
  const { threadId } = await permitThread(call, "read");
  return Response.json(shownThread(await getThread(call.deployment, threadId)));
};

/** `PATCH /threads/{thread_id}` */
export const update: Handler<typeof operations.updateThread> = async (call) => {
  const { threadId, value } = await permitThread(call, "update", { metadata: call.body.metadata ?? {} });
  const change = ThreadPatch.parse({ ...call.body, metadata: value.metadata });
  const thread = await updateThread(call.platform, call.deployment, threadId, change);
  const minimal = call.request.headers.get("prefer")?.includes("return=minimal") ?? false;
  return minimal ? new Response(null, { status: 204 }) : Response.json(thread);
};

/** `DELETE /threads/{thread_id}` */
export const remove: Handler<typeof operations.deleteThread> = async (call) => {
  const { threadId } = await permitThread(call, "delete");
  await deleteThread(call.deployment, threadId);
  return new Response(null, { status: 204 });
};

/** `POST /threads/{thread_id}/copy` */
export const copy: Handler<typeof operations.copyThread> = async (call) => {
  try {
    const { threadId } = await permitThread(call, "read");
    const { value } = await call.access.permit("threads:create", { metadata: {}, if_exists: "raise" });
    const { metadata } = ThreadPatch.parse({ metadata: value.metadata });
    return Response.json(await copyThread(call.platform, call.deployment, threadId, metadata));
  } catch (error) {
    // Clients of guarded threads expect a copy, which makes a thread, to fail as making one does.
    if (call.access.user && isFault(error) && error.code === "not_found") throw new Fault("conflict", error.message);
    throw error;
  }
};
