import { deleteAssistant } from "../engine/assistant-deletion.ts";
import {
  countAssistants,
  createAssistant,
  drawGraph,
  getAssistant,
  listVersions,
  readSchemas,
  readSubgraphs,
  searchAssistants,
  setLatest,
  updateAssistant,
} from "../engine/assistants.ts";
import {
  type Assistant,
  AssistantCreate,
  AssistantFilter,
  AssistantPatch,
  AssistantSearch,
} from "../protocol/assistants.ts";
import { Fault } from "../protocol/faults.ts";
import type { JsonObject } from "../protocol/json.ts";
import type { operations } from "../protocol/operations.ts";
import type { Call, Handler } from "./endpoint.ts";

/** `POST /assistants` */
export const create: Handler<typeof operations.createAssistant> = async (call) => {
  const { platform, deployment, body } = call;
  const assistant_id = body.assistant_id ?? platform.newId();
  const { value, visible } = await call.access.permit("assistants:create", { ...body, assistant_id });
  return Response.json(await createAssistant(platform, deployment, AssistantCreate.parse(value), visible));
};

/** `POST /assistants/search` */
export const search: Handler<typeof operations.searchAssistants> = async ({ deployment, access, body }) => {
  const { value, visible } = await access.permit("assistants:search", { ...body });
  const page = await searchAssistants(deployment, AssistantSearch.parse(value), visible);
  const headers = new Headers({ "x-pagination-total": String(page.total) });
  if (page.next !== undefined) headers.set("x-pagination-next", String(page.next));
  return Response.json(page.assistants, { headers });
};

/** `POST /assistants/count` */
export const count: Handler<typeof operations.countAssistants> = async ({ deployment, access, body }) => {
  const { value, visible } = await access.permit("assistants:search", { ...body, limit: 0, offset: 0 });
  return Response.json(await countAssistants(deployment, AssistantFilter.parse(value), visible));
};

/** `GET /assistants/{assistant_id}` */
export const get: Handler<typeof operations.getAssistant> = async (call) => Response.json(await named(call));

/** `PATCH /assistants/{assistant_id}` */
export const update: Handler<typeof operations.updateAssistant> = async (call) => {
  const { id, value } = await permit(call, "update", { ...call.body });
  return Response.json(await updateAssistant(call.platform, call.deployment, id, AssistantPatch.parse(value)));
};

/** `DELETE /assistants/{assistant_id}` */
export const remove: Handler<typeof operations.deleteAssistant> = async (call) => {
  const { id } = await permit(call, "delete");
  const threads = call.query.delete_threads ?? false;
  const permitted = threads
    ? await call.access.permit("threads:delete", { metadata: { assistant_id: id } })
    : undefined;
  return Response.json([await deleteAssistant(call.deployment, id, { threads, visible: permitted?.visible })]);
};

/** `POST /assistants/{assistant_id}/versions` */
export const versions: Handler<typeof operations.listAssistantVersions> = async (call) => {
  const { id } = await permit(call, "read", { ...call.body });
  return Response.json(await listVersions(call.deployment, id, call.body));
};

/** `POST /assistants/{assistant_id}/latest` */
export const latest: Handler<typeof operations.setLatestAssistant> = async (call) => {
  const version = call.body.version ?? call.query.version;
  if (version !== undefined) {
    const { id } = await permit(call, "update", { version });
    return Response.json(await setLatest(call.platform, call.deployment, id, version));
  }
  throw new Fault("invalid", "Invalid body: version: expected a number", {
    issues: [{ path: "version", message: "expected a number" }],
  });
};

/** `GET /assistants/{assistant_id}/graph` */
export const graph: Handler<typeof operations.getAssistantGraph> = async (call) => {
  const assistant = await named(call);
  return Response.json(await drawGraph(call.deployment, assistant.graph_id, call.query.xray ?? false));
};

/** `GET /assistants/{assistant_id}/schemas` */
export const schemas: Handler<typeof operations.getAssistantSchemas> = async (call) => {
  const assistant = await named(call);
  return Response.json(await readSchemas(call.deployment, assistant.graph_id));
};

/** `GET /assistants/{assistant_id}/subgraphs`, `GET /assistants/{assistant_id}/subgraphs/{namespace}` */
export const subgraphs: Handler<
  typeof operations.getAssistantSubgraphs | typeof operations.getAssistantSubgraph
> = async (call) => {
  const { graph_id } = await named(call);
  const { namespace } = call.params;
  return Response.json(await readSubgraphs(call.deployment, graph_id, namespace, call.query.recurse ?? false));
};

type Named = Pick<Call<typeof operations.getAssistant>, "access" | "deployment" | "params">;

async function named(call: Named): Promise<Assistant> {
  return await getAssistant(call.deployment, (await permit(call, "read")).id);
}

/** The assistant that a path names, when something may be done to it; `value` is what the application has left. */
async function permit(
  { access, deployment, params }: Named,
  action: "read" | "update" | "delete",
  asked: JsonObject = {},
): Promise<{ id: string; value: JsonObject }> {
  const { assistant_id: id = "" } = params;
  const { value, visible } = await access.permit(`assistants:${action}`, { assistant_id: id, ...asked });
  if (visible) await getAssistant(deployment, id, visible);
  return { id, value };
}
