import fc from "fast-check";
import { expect, test } from "vitest";
import type { Assistant } from "../../../lib/protocol/assistants.ts";
import { RunCreate } from "../../../lib/protocol/runs.ts";
import {
  configurableHeaders,
  effectiveConfig,
  effectiveContext,
  keptConfigurable,
} from "../../../lib/rules/runs/config.ts";

const assistant: Assistant = {
  assistant_id: "fe096781-5601-53d2-b2f6-0d3403f7e9ca",
  graph_id: "agent",
  name: "agent",
  description: null,
  config: { recursion_limit: 7, tags: ["a"], configurable: { model: "small", tone: "dry" } },
  context: { user: "nobody", zone: "UTC" },
  metadata: { created_by: "system" },
  version: 1,
  created_at: "2026-01-01T00:00:00.000Z",
  updated_at: "2026-01-01T00:00:00.000Z",
};
const identity = { run_id: "run", thread_id: "thread" };
const request = (body: object): RunCreate => RunCreate.parse({ assistant_id: "agent", ...body });

test("the request's members win over the assistant's, one by one", () => {
  const requested = request({ config: { configurable: { model: "large" }, tags: ["b"] }, context: { user: "ada" } });
  const config = effectiveConfig(assistant, requested, identity, { "x-team": "blue" });
  expect(config.configurable).toMatchObject({ model: "large", tone: "dry", "x-team": "blue" });
  expect(config.tags).toEqual(["a", "b"]);
  expect(config.recursion_limit).toBe(7);
  expect(effectiveContext(assistant, requested)).toEqual({ user: "ada", zone: "UTC" });
});

test("no request can set the ids of its run", () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom("run_id", "thread_id", "graph_id", "assistant_id"), fc.string()),
      (forged) => {
        const config = effectiveConfig(assistant, request({ config: { configurable: forged } }), identity, forged);
        expect(config.configurable).toMatchObject({
          ...identity,
          graph_id: "agent",
          assistant_id: assistant.assistant_id,
        });
      },
    ),
  );
});

test("secrets and a proxy's headers never reach a run", () => {
  const headers: [string, string][] = [
    ["X-Api-Key", "secret"],
    ["x-tenant-id", "t"],
    ["x-service-key", "s"],
    ["Authorization", "Bearer secret"],
    ["Cookie", "session"],
    ["x-forwarded-for", "1.2.3.4"],
    ["X-Team", "blue"],
    ["User-Agent", "curl"],
  ];
  expect(configurableHeaders(headers)).toEqual({ "x-team": "blue", "user-agent": "curl" });
});

test("an application selects the headers that reach a run, and those it excludes never do", () => {
  const headers: [string, string][] = [
    ["X-Team", "blue"],
    ["x-trace-id", "7"],
    ["Accept-Language", "fr"],
    ["user-agent", "curl"],
  ];
  expect(configurableHeaders(headers, { excludes: ["x-trace-*"] })).toEqual({ "x-team": "blue", "user-agent": "curl" });
  expect(configurableHeaders(headers, { includes: ["accept-*", "X-T*"], excludes: ["x-team"] })).toEqual({
    "accept-language": "fr",
    "x-trace-id": "7",
  });
  expect(configurableHeaders(headers, { includes: [] })).toEqual({});
});

test("a pattern never matches a secret header; its full name does", () => {
  const headers: [string, string][] = [
    ["authorization", "Bearer t"],
    ["cookie", "a=b"],
    ["x-api-key", "k"],
    ["x-graphlib-url", "/"],
  ];
  expect(configurableHeaders(headers, { includes: ["*"] })).toEqual({});
  expect(configurableHeaders(headers, { includes: ["Authorization", "*"] })).toEqual({ authorization: "Bearer t" });
});

test("an excluded header is in no run, whatever is included", () => {
  const name = fc.stringMatching(/^x-[a-z-]{1,8}$/);
  fc.assert(
    fc.property(name, fc.array(name), fc.boolean(), (excluded, others, all) => {
      const headers = [excluded, ...others].map((key): [string, string] => [key, "v"]);
      const includes = all ? ["*"] : [excluded, ...others];
      expect(configurableHeaders(headers, { includes, excludes: [excluded] })).not.toHaveProperty([excluded]);
    }),
  );
});

test("a thread keeps the configurable of a request, without members that belong to one run, its checkpoint or its user", () => {
  const own = fc.constantFrom("model", "nodeName", "user_id", "checkpoint", "thread", "_private", "x-team");
  const places = [
    "thread_id",
    "run_id",
    "graph_id",
    "assistant_id",
    "checkpoint_id",
    "checkpoint_ns",
    "checkpoint_map",
  ];
  const foreign = fc.constantFrom(...places, "__pregel_send", "langgraph_auth_user", "langgraph_auth_user_id");
  const members = fc.dictionary(own, fc.jsonValue());
  fc.assert(
    fc.property(members, fc.dictionary(foreign, fc.jsonValue()), (allowed, forged) => {
      const requested = request({ config: { configurable: { ...forged, ...allowed } } });
      expect(keptConfigurable(requested)).toEqual(allowed);
    }),
  );
  expect(keptConfigurable(request({}))).toEqual({});
});
