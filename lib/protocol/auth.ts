/** Messages for an application's own authentication and authorization (its module at `auth.path`). */
import * as z from "zod";
import { nullish } from "./fields.ts";
import type { JsonObject } from "./json.ts";

/** A user as an authentication handler may return it instead of a bare identity. Other members are kept. */
export const AuthUser = z.looseObject({
  identity: z.string().min(1),
  permissions: nullish(z.array(z.string())),
  display_name: nullish(z.string()),
  is_authenticated: nullish(z.boolean()),
});

/** The authenticated caller, with all defaults filled in. */
export interface AuthUser extends JsonObject {
  identity: string;
  permissions: string[];
  display_name: string;
  is_authenticated: boolean;
}

type Action = "create" | "read" | "update" | "delete" | "search";

/** An action to authorize, under the name by which handlers are registered. */
export type AuthEvent =
  | `threads:${Action | "create_run"}`
  | `assistants:${Action}`
  | `crons:${Action}`
  | `store:${"put" | "get" | "search" | "list_namespaces" | "delete"}`;

/** A request as the application's code sees it. */
export interface PlainRequest {
  method: string;
  /** Absolute URL. */
  url: string;
  headers: [string, string][];
}

/** A call of the module. `handler` is the name under which the handler was registered. */
export type GuardQuestion =
  | { do: "authenticate"; request: PlainRequest }
  | { do: "authorize"; handler: string; event: AuthEvent; value: JsonObject; user: AuthUser };

/** An `HTTPException` that the module threw. */
export interface GuardRefusal {
  status: number;
  message: string;
  headers: [string, string][];
}

/** The unvalidated result of a handler, and the value as the handler changed it. */
export type GuardAnswer = { returned: unknown; value?: unknown } | { refusal: GuardRefusal };

/** The handlers that a module has. */
export interface Guards {
  authenticates: boolean;
  /** Names of its authorization handlers. */
  handlers: string[];
}
