import { AuthUser, type AuthEvent } from "../protocol/auth.ts";

/** Returns the user that an authentication handler returned, with defaults; undefined when it named no user. */
export function toUser(answer: unknown): AuthUser | undefined {
  const parsed = AuthUser.safeParse(typeof answer === "string" ? { identity: answer } : answer);
  if (!parsed.success) return undefined;
  const { identity, permissions = [], display_name = identity, is_authenticated = true } = parsed.data;
  return { ...parsed.data, identity, permissions, display_name, is_authenticated };
}

/** Returns the handler that decides about an event: the most specific one that is registered. */
export function handlerFor(handlers: readonly string[], event: AuthEvent): string | undefined {
  const [resource = "", action = ""] = event.split(":");
  return [event, resource, `*:${action}`, "*"].find((name) => handlers.includes(name));
}

/** Keys of a run's `configurable` that only authentication sets. */
export const AUTH_KEY = /^langgraph_auth_/;

/** Returns the members of `configurable` that show a graph the user who started the run. */
export function authConfigurable(user: AuthUser | undefined): Record<string, unknown> {
  if (!user) return {};
  return {
    langgraph_auth_user: user,
    langgraph_auth_user_id: user.identity,
    langgraph_auth_permissions: user.permissions,
  };
}
