/** Words of an application's own authentication and authorization (its module at `auth.path`). */
import * as z from "zod";
import { nullish } from "./fields.ts";
import type { JsonObject } from "./json.ts";

/** What an authentication handler may answer instead of a mere identity. Other members are kept. */
export const AuthUser = z.looseObject({
  identity: z.string().min(1),
  permissions: nullish(z.array(z.string())),
  display_name: nullish(z.string()),
  is_authenticated: nullish(z.boolean()),
});

/** Who calls, with every default filled in. */
export interface AuthUser extends JsonObject {
  identity: string;
  permissions: string[];
  display_name: string;
  is_authenticated: boolean;
}

type Changes = "create" | "read" | "update" | "delete" | "search";

/** What is about to be done, as authorization handlers are registered for it. */
export type AuthEvent =
  | `threads:${Changes | "create_run"}`
  | `assistants:${Changes}`
  | `crons:${Changes}`
  | `store:${"put" | "get" | "search" | "list_namespaces" | "delete"}`;

/** A request as the application's code sees it. */
export interface PlainRequest {
  method: string;
  /** Absolute. */
  url: string;
  headers: [string, string][];
}

/** What is asked of the module. `handler` is the name under which the one that is meant was registered. */
export type GuardQuestion =
  | { do: "authenticate"; request: PlainRequest }
  | { do: "authorize"; handler: string; event: AuthEvent; value: JsonObject; user: AuthUser };

/** An `HTTPException` that the module threw. */
export interface GuardRefusal {
  status: number;
  message: string;
  headers: [string, string][];
}

/** What a handler returned, and the value as it left it; nothing of it has been looked at. */
export type GuardAnswer = { returned: unknown; value?: unknown } | { refusal: GuardRefusal };

/** What a module can be asked. */
export interface Guards {
  authenticates: boolean;
  /** Names under which authorization handlers are registered. */
  handlers: string[];
}
