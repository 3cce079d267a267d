import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { a2aUrl, deploymentUrl } from "../../../lib/rules/agent-card/card.ts";

describe("the address of an assistant", () => {
  const at = (base: string, written: string, deployment = "default", assistant = "echo") =>
    a2aUrl({ base, path: written, deployment, assistant, prefix: "/api/v1" });

  it.each([
    ["the root", at("http://h:1", "/.well-known/agent-card.json"), "http://h:1/a2a/echo"],
    [
      "its path",
      at("http://h", "/agents/default/a2a/echo/.well-known/agent-card.json"),
      "http://h/agents/default/a2a/echo",
    ],
    [
      "its host",
      at("http://shop.agents.h", "/a2a/echo/.well-known/agent-card.json", "shop"),
      "http://shop.agents.h/a2a/echo",
    ],
    [
      "its host, behind a public address that is another",
      at("https://pub", "/a2a/echo/.well-known/agent-card.json", "shop"),
      "https://pub/agents/shop/a2a/echo",
    ],
    [
      "the path of another deployment's name",
      at("http://h", "/agents/shopping/x", "shop"),
      "http://h/agents/shop/a2a/echo",
    ],
    ["a prefix", at("http://api", "/api/v1/a2a/echo"), "http://api/api/v1/a2a/echo"],
    [
      "a prefix below its path",
      at("http://h", "/agents/shop/api/v1/a2a/echo", "shop"),
      "http://h/agents/shop/api/v1/a2a/echo",
    ],
    ["a prefix that its public address has", at("https://h/api/v1", "/api/v1/a2a/echo"), "https://h/api/v1/a2a/echo"],
    ["a name that needs escapes", at("http://h", "/", "default", "a b/c"), "http://h/a2a/a%20b%2Fc"],
  ])("by %s", (_, url, expected) => {
    expect(url).toBe(expected);
  });

  it("is stable: a card requested at its own address names the same address", () => {
    const forms = fc.record({
      base: fc.constantFrom("http://h", "http://shop.agents.h", "https://pub/api/v1", "http://api"),
      path: fc.constantFrom("/x", "/agents/shop/x", "/api/v1/x", "/agents/shop/api/v1/x", "/agents/shopping/x"),
      deployment: fc.constantFrom("default", "shop"),
      prefix: fc.constantFrom(undefined, "/api/v1"),
    });
    fc.assert(
      fc.property(forms, (caller) => {
        const once = deploymentUrl(caller);
        const again = once.slice(caller.base.length);
        expect(deploymentUrl({ ...caller, path: `${again}/x` })).toBe(once);
      }),
    );
  });
});
