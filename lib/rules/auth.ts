import { AuthUser, type AuthEvent } from "../protocol/auth.ts";

/** The user that an authentication handler answered, with defaults; undefined for an answer that says nobody. */
export function toUser(answer: unknown): AuthUser | undefined {
  const parsed = AuthUser.safeParse(typeof answer === "string" ? { identity: answer } : answer);
  if (!parsed.success) return undefined;
  const { identity, permissions = [], display_name = identity, is_authenticated = true } = parsed.data;
  return { ...parsed.data, identity, permissions, display_name, is_authenticated };
}

/** The one handler that decides about an event: the most special that there is. */
export function handlerFor(handlers: readonly string[], event: AuthEvent): string | undefined {
  const [resource = "", action = ""] = event.split(":");
  return [event, resource, `*:${action}`, "*"].find((name) => handlers.includes(name));
}

/** Keys of a run's `configurable` that only authentication sets. */
export const AUTH_KEY = /^langgraph_auth_/;

/** Who started a run, for its graph. */
export function authConfigurable(user: AuthUser | undefined): Record<string, unknown> {
  if (!user) return {};
  return {
    langgraph_auth_user: user,
    langgraph_auth_user_id: user.identity,
    langgraph_auth_permissions: user.permissions,
  };
}
