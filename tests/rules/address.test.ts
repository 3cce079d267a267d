import fc from "fast-check";
import { expect, test } from "vitest";
import { routeOf } from "../../lib/rules/address.ts";

const name = fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,20}$/);
const resource = fc.constantFrom("ok", "info", "assistants", "threads", "runs", "store", "a2a", ".well-known");
const rest = fc
  .array(fc.stringMatching(/^[\w.%-]{1,8}$/), { maxLength: 4 })
  .map((parts) => parts.map((part) => `/${part}`).join(""));
const query = fc.constantFrom("", "?a=1", "?next=/runs/stream", "?q=agent.json");

test("the three addresses of a deployment lead to one route", () => {
  fc.assert(
    fc.property(name, resource, rest, query, (deployment, head, tail, search) => {
      const path = `/${head}${tail}`.replace(/agent\.json$/, "card");
      const route = `/agents/${deployment}${path}${search}`;
      expect(routeOf(`${deployment}.agents.example.test:2024`, path + search)).toBe(route);
      expect(routeOf("example.test", route)).toBe(route);
      expect(routeOf("example.test", path + search)).toBe(`/agents/default${path}${search}`);
    }),
  );
});

test("what is no resource stays where it is: pages, files, the control plane", () => {
  for (const path of [
    "/",
    "/deployments/default/chat?assistant=agent",
    "/api/deployments/events",
    "/_next/x.js",
    "/runsx",
    "//runs",
    "",
  ]) {
    expect(routeOf("localhost:2024", path)).toBe(path);
  }
});

test("any host and any path give a path, and the query is never touched", () => {
  fc.assert(
    fc.property(fc.option(fc.string(), { nil: undefined }), fc.string(), fc.string(), (host, path, search) => {
      const clean = path.replace(/[?#]/g, "");
      expect(routeOf(host, `${clean}?${search}`).endsWith(`?${search}`)).toBe(true);
    }),
  );
});

test("the card's old name leads to the card", () => {
  expect(routeOf("localhost", "/a2a/echo/.well-known/agent.json")).toBe(
    "/agents/default/a2a/echo/.well-known/agent-card.json",
  );
  expect(routeOf("localhost", "/.well-known/agent.json?assistant_id=x")).toBe(
    "/agents/default/.well-known/agent-card.json?assistant_id=x",
  );
});
