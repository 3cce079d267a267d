import type { AuthEvent, AuthUser, GuardAnswer, PlainRequest } from "../protocol/auth.ts";
import { Fault, AppRefusal } from "../protocol/faults.ts";
import { isObject, type JsonObject } from "../protocol/json.ts";
import { handlerFor, toUser } from "../rules/auth.ts";
import { toVisibility, type Visibility } from "../rules/visibility.ts";
import type { Deployment } from "./ports/ports.ts";

/** Permissions of a caller. */
export interface Access {
  /** Set when the application has its own authentication. */
  readonly user?: AuthUser;
  /**
   * Asks the application whether an operation is allowed. `value` is the event's value, as on the wire. Faults:
   * `forbidden`, `unavailable` when the worker is down; `AppRefusal` with the application's own refusal.
   */
  permit(event: AuthEvent, value: JsonObject): Promise<Permit>;
}

export interface Permit {
  /** The value as the application has changed it; the operation uses this one. */
  value: JsonObject;
  /** Restricts the resources that the caller may see; all when left out. */
  visible?: Visibility;
}

/** Allows everything: the application has no authentication. */
export const OPEN_ACCESS: Access = { permit: (_, value) => Promise.resolve({ value }) };

/** The user as which LangGraph's own tools act, where an application allows that. */
export const STUDIO_USER: AuthUser = {
  kind: "StudioUser",
  identity: "langgraph-studio-user",
  display_name: "langgraph-studio-user",
  permissions: [],
  is_authenticated: true,
};

/** Authenticates a request. Faults: as `Access.permit`; throws an `Error` when the application's code fails. */
export async function authenticate(deployment: Deployment, request: PlainRequest): Promise<Access> {
  const { authenticates } = deployment.worker.guards();
  if (!authenticates) return OPEN_ACCESS;
  const known = deployment.identityCache.find(request);
  if (known) return accessAs(deployment, known);
  const { returned } = unwrap(await deployment.worker.guard({ do: "authenticate", request }));
  const user = toUser(returned);
  if (!user) throw new Error("the application's authentication returned neither an identity nor a user");
  deployment.identityCache.remember(request, user);
  return accessAs(deployment, user);
}

/** Returns the permissions of a user; the application decides each operation. */
export function accessAs(deployment: Deployment, user: AuthUser): Access {
  return {
    user,
    async permit(event, value) {
      const handler = handlerFor(deployment.worker.guards().handlers, event);
      if (handler === undefined) return { value };
      const answer = unwrap(await deployment.worker.guard({ do: "authorize", handler, event, value, user }));
      const { returned } = answer;
      if (returned === false) throw new Fault("forbidden", "Forbidden");
      const changed = isObject(answer.value) ? answer.value : value;
      if (returned === undefined || returned === null || returned === true) return { value: changed };
      const visible = isObject(returned) ? toVisibility(returned) : undefined;
      if (!visible) throw new Error(`the application's handler for ${handler} returned an unknown filter`);
      return { value: changed, visible };
    },
  };
}

function unwrap(answer: GuardAnswer): Exclude<GuardAnswer, { refusal: unknown }> {
  if ("refusal" in answer) throw new AppRefusal(answer.refusal);
  return answer;
}
