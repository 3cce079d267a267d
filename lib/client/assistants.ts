import type { Assistant, AssistantVersion, GraphSchemas } from "../protocol/assistants.ts";
import { call, read } from "./call.ts";

/** The members that `POST` and `PATCH` take. `unknown` ones are edited as JSON, and the server checks them. */
export interface AssistantBody {
  readonly name?: string;
  readonly description?: string;
  readonly graph_id?: string;
  readonly config?: unknown;
  readonly context?: unknown;
  readonly metadata?: unknown;
}

export interface AssistantPage {
  readonly assistants: readonly Assistant[];
  readonly total: number;
}

export type AssistantApi = ReturnType<typeof assistantApi>;

/** The calls for assistants. All of them may throw a `RequestFailure`. */
export function assistantApi(base: string) {
  const at = (id: string): string => `${base}/assistants/${encodeURIComponent(id)}`;
  return {
    /** Finds assistants by a part of the name, in the order of their names. */
    search: async (name: string, limit: number, offset: number): Promise<AssistantPage> => {
      const body = { ...(name !== "" && { name }), limit, offset, sort_by: "name", sort_order: "asc" };
      const response = await call("POST", `${base}/assistants/search`, body);
      const total = Number(response.headers.get("x-pagination-total") ?? 0);
      return { assistants: await read<Assistant[]>(response), total };
    },
    get: async (id: string) => read<Assistant>(await call("GET", at(id))),
    create: async (body: AssistantBody) => read<Assistant>(await call("POST", `${base}/assistants`, body)),
    change: async (id: string, body: AssistantBody) => read<Assistant>(await call("PATCH", at(id), body)),
    remove: (id: string) => call("DELETE", at(id)),
    versions: async (id: string, limit: number, offset: number) =>
      read<AssistantVersion[]>(await call("POST", `${at(id)}/versions`, { limit, offset })),
    activate: async (id: string, version: number) =>
      read<Assistant>(await call("POST", `${at(id)}/latest`, { version })),
    schemas: async (id: string) => read<GraphSchemas>(await call("GET", `${at(id)}/schemas`)),
  };
}

/** Returns whether an assistant belongs to its graph. Such an assistant cannot be deleted. */
export const isOfSystem = ({ metadata }: Pick<Assistant, "metadata">): boolean => metadata.created_by === "system";
