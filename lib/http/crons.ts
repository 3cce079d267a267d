import * as crons from "../engine/crons.ts";
import { CronCount, CronCreate, CronPatch, CronSearch } from "../protocol/crons.ts";
import { isObject, type JsonObject } from "../protocol/json.ts";
import type { operations } from "../protocol/operations.ts";
import { permitThread } from "./access.ts";
import type { Handler } from "./endpoint.ts";
import { answerCount, answerSearch } from "./search.ts";

/** `POST /runs/crons`, `POST /threads/{thread_id}/runs/crons` */
export const createCron: Handler<typeof operations.createCron> = async (call) => {
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
  return Response.json(await crons.createCron(platform, deployment, request, { cronId, threadId, user: access.user }));
};

/** `POST /runs/crons/search` */
export const searchCrons: Handler<typeof operations.searchCrons> = (call) =>
  answerSearch(call, "crons:search", CronSearch, crons.searchCrons);

/** `POST /runs/crons/count` */
export const countCrons: Handler<typeof operations.countCrons> = (call) =>
  answerCount(call, "crons:search", CronCount, crons.countCrons);

/** `PATCH /runs/crons/{cron_id}` */
export const updateCron: Handler<typeof operations.updateCron> = async (call) => {
  const { platform, deployment, access, params, body } = call;
  const { cron_id = "" } = params;
  const { value, visible } = await access.permit("crons:update", { ...body, cron_id });
  const patch = CronPatch.parse(asSent(value));
  return Response.json(await crons.updateCron(platform, deployment, cron_id, patch, visible));
};

/** `POST /runs/crons/{cron_id}/run` */
export const runCron: Handler<typeof operations.runCron> = async ({ platform, deployment, access, params }) => {
  const { cron_id = "" } = params;
  const { visible } = await access.permit("crons:update", { cron_id });
  return Response.json(await crons.runCron(platform, deployment, cron_id, { user: access.user, visible }));
};

/** `DELETE /runs/crons/{cron_id}` */
export const deleteCron: Handler<typeof operations.deleteCron> = async ({ deployment, access, params }) => {
  const { cron_id = "" } = params;
  const { visible } = await access.permit("crons:delete", { cron_id });
  await crons.deleteCron(deployment, cron_id, visible);
  return new Response(null, { status: 204 });
};

/** Authorization handlers see the fields of the runs as `payload`. Callers send them beside the other fields. */
function asSent({ payload, ...rest }: JsonObject): JsonObject {
  return { ...(isObject(payload) && payload), ...rest };
}
