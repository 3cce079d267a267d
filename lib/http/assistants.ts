import { drawGraph, getAssistant, readSchemas, searchAssistants } from "../engine/assistants.ts";
import type { Assistant } from "../protocol/assistants.ts";
import type { operations } from "../protocol/operations.ts";
import type { Operation } from "../protocol/operations/operation.ts";
import type { Call, Handler } from "./endpoint.ts";

/** `POST /assistants/search` */
export const search: Handler<typeof operations.searchAssistants> = async ({ deployment, body }) => {
  const page = await searchAssistants(deployment, body);
  const headers = new Headers({ "x-pagination-total": String(page.total) });
  if (page.next !== undefined) headers.set("x-pagination-next", String(page.next));
  return Response.json(page.assistants, { headers });
};

/** `GET /assistants/{assistant_id}` */
export const get: Handler<typeof operations.getAssistant> = async (call) => Response.json(await named(call));

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

function named<O extends Operation>(call: Call<O>): Promise<Assistant> {
  return getAssistant(call.platform, call.deployment, call.params.assistant_id ?? "");
}
