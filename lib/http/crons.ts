import { countCrons, createCron, deleteCron, searchCrons, updateCron } from "../engine/crons.ts";
import { CronCount, CronCreate, CronPatch, CronSearch } from "../protocol/crons.ts";
import { isObject, type JsonObject } from "../protocol/json.ts";
import type { operations } from "../protocol/operations.ts";
import { permitThread } from "./access.ts";
import type { Handler } from "./endpoint.ts";

/** `POST /runs/crons`, `POST /threads/{thread_id}/runs/crons` */
export const create: Handler<typeof operations.createCron> = async (call) => {
  const { platform, deployment, access, params, body } = call;
  const threadId = params.thread_id === undefined ? undefined : (await permitThread(call, "update")).threadId;
  const cronId = platform.newId();
  const { value } = await access.permit("crons:create", {
    ...body,
    metadata: body.metadata ?? {},
    cron_id: cronId,
    thread_id: threadId ?? null,
    user_id: access.user?.identity ?? null,
  });
  const request = CronCreate.parse(asSent(value));
  return Response.json(await createCron(platform, deployment, request, { cronId, threadId, user: access.user }));
};

/** `POST /runs/crons/search` */
export const search: Handler<typeof operations.searchCrons> = async ({ deployment, access, body }) => {
  const { value, visible } = await access.permit("crons:search", { ...body });
  const page = await searchCrons(deployment, CronSearch.parse(value), visible);
  const headers = new Headers({ "x-pagination-total": String(page.total) });
  if (page.next !== undefined) headers.set("x-pagination-next", String(page.next));
  return Response.json(page.crons, { headers });
};

/** `POST /runs/crons/count` */
export const count: Handler<typeof operations.countCrons> = async ({ deployment, access, body }) => {
  const { value, visible } = await access.permit("crons:search", { ...body, limit: 0, offset: 0 });
  return Response.json(await countCrons(deployment, CronCount.parse(value), visible));
};

/** `PATCH /runs/crons/{cron_id}` */
export const update: Handler<typeof operations.updateCron> = async ({ platform, deployment, access, params, body }) => {
  const { cron_id = "" } = params;
  const { value, visible } = await access.permit("crons:update", { ...body, cron_id });
  const patch = CronPatch.parse(asSent(value));
  return Response.json(await updateCron(platform, deployment, cron_id, patch, visible));
};

/** `DELETE /runs/crons/{cron_id}` */
export const remove: Handler<typeof operations.deleteCron> = async ({ deployment, access, params }) => {
  const { cron_id = "" } = params;
  const { visible } = await access.permit("crons:delete", { cron_id });
  await deleteCron(deployment, cron_id, visible);
  return new Response(null, { status: 204 });
};

/** Handlers see what concerns the runs as `payload`; callers send it beside the rest. */
function asSent({ payload, ...rest }: JsonObject): JsonObject {
  return { ...(isObject(payload) && payload), ...rest };
}
