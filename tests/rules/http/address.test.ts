import fc from "fast-check";
import { expect, test } from "vitest";
import { routeOf } from "../../../lib/rules/http/address.ts";

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

test("a path that is no resource stays the same: pages, files, the control plane", () => {
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

test("any host and any path give a path, and the query is never changed", () => {
  fc.assert(
    fc.property(fc.option(fc.string(), { nil: undefined }), fc.string(), fc.string(), (host, path, search) => {
      const clean = path.replace(/[?#]/g, "");
      expect(routeOf(host, `${clean}?${search}`).endsWith(`?${search}`)).toBe(true);
    }),
  );
});

test("the card's old path leads to the card", () => {
  expect(routeOf("localhost", "/a2a/echo/.well-known/agent.json")).toBe(
    "/agents/default/a2a/echo/.well-known/agent-card.json",
  );
  expect(routeOf("localhost", "/.well-known/agent.json?assistant_id=x")).toBe(
    "/agents/default/.well-known/agent-card.json?assistant_id=x",
  );
});

test("below its prefix a deployment has the same routes, at each of its addresses", () => {
  const prefix = fc.constantFrom("/v1", "/api/agents-of-ours", "/runs");
  fc.assert(
    fc.property(name, prefix, resource, rest, query, (deployment, mounted, head, tail, search) => {
      const path = `/${head}${tail}`.replace(/agent\.json$/, "card");
      const mountOf = () => ({ prefix: mounted });
      const route = `/agents/${deployment}${path}${search}`;
      expect(routeOf(`${deployment}.agents.example.test`, mounted + path + search, mountOf)).toBe(route);
      expect(routeOf("example.test", `/agents/${deployment}${mounted}${path}${search}`, mountOf)).toBe(route);
      expect(routeOf("example.test", mounted + path + search, mountOf)).toBe(`/agents/default${path}${search}`);
    }),
  );
  expect(routeOf("localhost", "/v1x/runs", () => ({ prefix: "/v1" }))).toBe("/v1x/runs");
});

test("a default deployment with routes of its own has every path at the root but the console's", () => {
  const mountOf = () => ({ ownRoutes: true });
  fc.assert(
    fc.property(
      rest.filter((path) => /^\/\w/.test(path)),
      query,
      (path, search) => {
        const console = /^\/(?:agents|api|deployments|sign-in|_next)(?:\/|$)/.test(path);
        expect(routeOf("localhost", path + search, mountOf)).toBe(
          console ? path + search : `/agents/default${path}${search}`,
        );
      },
    ),
  );
  for (const page of ["/", "/deployments/default/chat", "/sign-in", "/_next/x.js", "/icon.svg"])
    expect(routeOf("localhost", page, mountOf)).toBe(page);
});
