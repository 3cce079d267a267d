import fc from "fast-check";
import { expect, test } from "vitest";
import { authConfigurable, handlerFor, toUser } from "../../lib/rules/auth.ts";
import { RunCreate } from "../../lib/protocol/runs.ts";
import { effectiveConfig } from "../../lib/rules/runs/config.ts";

test("the most specific handler decides alone", () => {
  const order = ["threads:create_run", "threads", "*:create_run", "*"];
  fc.assert(
    fc.property(fc.subarray([...order, "threads:read", "assistants", "*:read"]), (handlers) => {
      expect(handlerFor(handlers, "threads:create_run")).toBe(order.find((name) => handlers.includes(name)));
    }),
  );
});

test("a text is a user's identity, other members are kept, and a value without identity is no user", () => {
  expect(toUser("ada")).toEqual({ identity: "ada", display_name: "ada", permissions: [], is_authenticated: true });
  expect(toUser({ identity: "ada", permissions: ["read"], org: "x" })).toEqual({
    identity: "ada",
    display_name: "ada",
    permissions: ["read"],
    is_authenticated: true,
    org: "x",
  });
  for (const nobody of [undefined, null, "", 7, {}, [], { identity: 7 }, { identity: "a", permissions: "all" }])
    expect(toUser(nobody)).toBeUndefined();
});

test("a caller cannot set the user of a run", () => {
  const assistant = {
    assistant_id: "fe096781-5601-53d2-b2f6-0d3403f7e9ca",
    graph_id: "agent",
    name: "agent",
    description: null,
    config: {},
    context: {},
    metadata: {},
    version: 1,
    created_at: "2026-01-01T00:00:00.000Z",
    updated_at: "2026-01-01T00:00:00.000Z",
  };
  const forged = { langgraph_auth_user: { identity: "eve" }, langgraph_auth_user_id: "eve", other: 1 };
  const request = RunCreate.parse({ assistant_id: "agent", config: { configurable: forged } });
  const ids = { run_id: "r", thread_id: "t" };
  const user = toUser({ identity: "ada", permissions: ["p"] });
  const anonymous = effectiveConfig(assistant, request, ids, {}).configurable;
  expect(Object.keys(anonymous).filter((key) => key.startsWith("langgraph_auth"))).toEqual([]);
  expect(anonymous).toMatchObject({ other: 1 });
  expect(effectiveConfig(assistant, request, ids, {}, undefined, user).configurable).toMatchObject({
    ...authConfigurable(user),
    langgraph_auth_user_id: "ada",
    langgraph_auth_permissions: ["p"],
  });
});
