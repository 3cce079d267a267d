import * as assistants from "../engine/assistants.ts";
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
import { answerCount, answerSearch } from "./search.ts";

/** `POST /assistants` */
export const createAssistant: Handler<typeof operations.createAssistant> = async (call) => {
  const { platform, deployment, body } = call;
  const assistant_id = body.assistant_id ?? platform.newId();
  const { value, visible } = await call.access.permit("assistants:create", { ...body, assistant_id });
  return Response.json(await assistants.createAssistant(platform, deployment, AssistantCreate.parse(value), visible));
};

/** `POST /assistants/search` */
export const searchAssistants: Handler<typeof operations.searchAssistants> = (call) =>
  answerSearch(call, "assistants:search", AssistantSearch, assistants.searchAssistants);

/** `POST /assistants/count` */
export const countAssistants: Handler<typeof operations.countAssistants> = (call) =>
  answerCount(call, "assistants:search", AssistantFilter, assistants.countAssistants);

/** `GET /assistants/{assistant_id}` */
export const getAssistant: Handler<typeof operations.getAssistant> = async (call) =>
  Response.json(await permittedAssistant(call));

/** `PATCH /assistants/{assistant_id}` */
export const updateAssistant: Handler<typeof operations.updateAssistant> = async (call) => {
  const { id, value } = await permitAssistant(call, "update", { ...call.body });
  const patch = AssistantPatch.parse(value);
  return Response.json(await assistants.updateAssistant(call.platform, call.deployment, id, patch));
};

/** `DELETE /assistants/{assistant_id}` */
export const deleteAssistant: Handler<typeof operations.deleteAssistant> = async (call) => {
  const { id } = await permitAssistant(call, "delete");
  const threads = call.query.delete_threads ?? false;
  const metadata = { assistant_id: id };
  const visible = threads ? (await call.access.permit("threads:delete", { metadata })).visible : undefined;
  return Response.json([await assistants.deleteAssistant(call.deployment, id, { threads, visible })]);
};

/** `POST /assistants/{assistant_id}/versions` */
export const listAssistantVersions: Handler<typeof operations.listAssistantVersions> = async (call) => {
  const { id } = await permitAssistant(call, "read", { ...call.body });
  return Response.json(await assistants.listAssistantVersions(call.deployment, id, call.body));
};

/** `POST /assistants/{assistant_id}/latest` */
export const setLatestAssistant: Handler<typeof operations.setLatestAssistant> = async (call) => {
  const version = call.body.version ?? call.query.version;
  if (version !== undefined) {
    const { id } = await permitAssistant(call, "update", { version });
    return Response.json(await assistants.setLatestAssistant(call.platform, call.deployment, id, version));
  }
  throw new Fault("invalid", "Invalid body: version: expected a number", {
    issues: [{ path: "version", message: "expected a number" }],
  });
};

/** `GET /assistants/{assistant_id}/graph` */
export const getAssistantGraph: Handler<typeof operations.getAssistantGraph> = async (call) => {
  const { graph_id } = await permittedAssistant(call);
  return Response.json(await assistants.drawGraph(call.deployment, graph_id, call.query.xray ?? false));
};

/** `GET /assistants/{assistant_id}/schemas` */
export const getAssistantSchemas: Handler<typeof operations.getAssistantSchemas> = async (call) =>
  Response.json(await assistants.getAssistantSchemas(call.deployment, await permittedAssistant(call)));

/** `GET /assistants/{assistant_id}/subgraphs`, `GET /assistants/{assistant_id}/subgraphs/{namespace}` */
export const getAssistantSubgraphs: Handler<
  typeof operations.getAssistantSubgraphs | typeof operations.getAssistantSubgraph
> = async (call) => {
  const assistant = await permittedAssistant(call);
  const { namespace } = call.params;
  const recurse = call.query.recurse ?? false;
  return Response.json(await assistants.getAssistantSubgraphs(call.deployment, assistant, namespace, recurse));
};

type AssistantCall = Pick<Call<typeof operations.getAssistant>, "access" | "deployment" | "params">;

async function permittedAssistant(call: AssistantCall): Promise<Assistant> {
  return await assistants.getAssistant(call.deployment, (await permitAssistant(call, "read")).id);
}

/** Asks the application whether the caller may act on the assistant of a path. `value` is what the application left. */
async function permitAssistant(
  { access, deployment, params }: AssistantCall,
  action: "read" | "update" | "delete",
  fields: JsonObject = {},
): Promise<{ id: string; value: JsonObject }> {
  const { assistant_id: id = "" } = params;
  const { value, visible } = await access.permit(`assistants:${action}`, { assistant_id: id, ...fields });
  if (visible) await assistants.getAssistant(deployment, id, visible);
  return { id, value };
}
