import fc from "fast-check";
import { expect, test } from "vitest";
import { addedHeaders, answerHeaders, isShared } from "../../../lib/rules/http/shared-address.ts";

const OF_ORIGIN = ["set-cookie", "service-worker-allowed", "clear-site-data", "strict-transport-security", "report-to"];
const name = fc.oneof(
  fc.constantFrom(...OF_ORIGIN, "content-security-policy", "content-security-policy-report-only", "content-type"),
  fc.stringMatching(/^[a-z][a-z-]{0,12}$/),
);
const headers = fc.array(fc.tuple(name, fc.string()));

test("a response of the application is sandboxed, whatever its own policy, and sets nothing for the whole origin", () => {
  fc.assert(
    fc.property(headers, (original) => {
      const kept = answerHeaders(original, true);
      expect(kept.filter(([one]) => one.startsWith("content-security-policy"))).toEqual([
        ["content-security-policy", "sandbox"],
      ]);
      expect(kept.some(([one]) => OF_ORIGIN.includes(one))).toBe(false);
      expect(answerHeaders(kept, true)).toEqual(kept);
      expect(answerHeaders(original, false)).toEqual(original.filter(([one]) => one !== "clear-site-data"));
    }),
  );
});

test("headers about the response itself stay, in their order", () => {
  const plain: [string, string][] = [
    ["content-type", "text/html"],
    ["cache-control", "no-store"],
    ["link", '</?page=2>; rel="next"'],
    ["location", "/login"],
    ["www-authenticate", 'Bearer realm="mine"'],
    ["x-own", "1"],
  ];
  expect(addedHeaders(plain, true)).toEqual(plain);
  expect(addedHeaders([["www-authenticate", 'Bearer x, Basic realm="localhost:2024"']], true)).toEqual([]);
});

test("an address is shared unless its host is a deployment's own", () => {
  for (const host of ["localhost:2024", "127.0.0.1", null, "", "agents.localhost", "bot.agents"]) {
    expect(isShared(host, undefined)).toBe(true);
  }
  expect(isShared("bot.agents.localhost:2024", undefined)).toBe(false);
  // The console itself may have such a name.
  expect(isShared("prod.agents.example.com", "https://prod.agents.example.com")).toBe(true);
  expect(isShared("bot.agents.prod.agents.example.com", "https://prod.agents.example.com")).toBe(false);
});
