import { countCrons, createCron, deleteCron, searchCrons, updateCron } from "../engine/crons.ts";
import type { operations } from "../protocol/operations.ts";
import type { Access } from "../engine/access.ts";
import { Fault } from "../protocol/faults.ts";
import type { JsonObject } from "../protocol/json.ts";
import { permitThread } from "./access.ts";
import type { Handler } from "./endpoint.ts";

/** `POST /runs/crons`, `POST /threads/{thread_id}/runs/crons` */
export const create: Handler<typeof operations.createCron> = async (call) => {
  const { platform, deployment, params, body } = call;
  const thread = params.thread_id === undefined ? undefined : (await permitThread(call, "update")).threadId;
  await requirePermit(call, "create", { ...body, thread_id: thread });
  return Response.json(await createCron(platform, deployment, body, thread));
};

/** `POST /runs/crons/search` */
export const search: Handler<typeof operations.searchCrons> = async (call) => {
  const { deployment, body } = call;
  await requirePermit(call, "search", { ...body });
  const page = await searchCrons(deployment, body);
  const headers = new Headers({ "x-pagination-total": String(page.total) });
  if (page.next !== undefined) headers.set("x-pagination-next", String(page.next));
  return Response.json(page.crons, { headers });
};

/** `POST /runs/crons/count` */
export const count: Handler<typeof operations.countCrons> = async (call) => {
  await requirePermit(call, "search", { ...call.body });
  return Response.json(await countCrons(call.deployment, call.body));
};

/** `PATCH /runs/crons/{cron_id}` */
export const update: Handler<typeof operations.updateCron> = async (call) => {
  const { platform, deployment, params, body } = call;
  await requirePermit(call, "update", { ...body, cron_id: params.cron_id });
  return Response.json(await updateCron(platform, deployment, params.cron_id ?? "", body));
};

/** `DELETE /runs/crons/{cron_id}` */
export const remove: Handler<typeof operations.deleteCron> = async (call) => {
  const { deployment, params } = call;
  await requirePermit(call, "delete", { cron_id: params.cron_id });
  await deleteCron(deployment, params.cron_id ?? "");
  return new Response(null, { status: 204 });
};

/** Crons have no metadata that a filter could look at: where an application answers one, nobody passes. */
async function requirePermit(
  { access }: { access: Access },
  action: "create" | "search" | "update" | "delete",
  value: JsonObject,
): Promise<void> {
  const { visible } = await access.permit(`crons:${action}`, value);
  if (visible && visible.length > 0) throw new Fault("forbidden", "Forbidden");
}
