import { describe, expect, test } from "vitest";
import { createIdentityCache } from "../../lib/engine/identity-cache.ts";

const clock = { time: 0, now: () => clock.time };
const userOf = (identity: string) => ({ identity, permissions: [], display_name: identity, is_authenticated: true });
const call = (headers: Record<string, string>) => ({
  method: "GET",
  url: "http://localhost/",
  headers: Object.entries(headers),
});
const cache = (changes = {}) => ({ cache_keys: ["authorization", "x-team"], ttl_seconds: 10, max_size: 2, ...changes });

describe("a recognised user", () => {
  test("is cached for exactly the same headers, as long as configured", () => {
    const identities = createIdentityCache(cache(), clock);
    const ada = call({ authorization: "a", "x-team": "red", accept: "*/*" });
    identities.remember(ada, userOf("ada"));
    expect(identities.find(call({ authorization: "a", "x-team": "red" }))).toMatchObject({ identity: "ada" });
    const others: Record<string, string>[] = [
      { authorization: "a" },
      { authorization: "b", "x-team": "red" },
      { "x-team": "red" },
      {},
    ];
    for (const other of others) expect(identities.find(call(other))).toBeUndefined();
    clock.time += 9_999;
    expect(identities.find(ada)).toBeDefined();
    clock.time += 1;
    expect(identities.find(ada)).toBeUndefined();
  });

  test("is not confused with another whose joined headers are equal", () => {
    const identities = createIdentityCache(cache(), clock);
    identities.remember(call({ authorization: 'a","b' }), userOf("ada"));
    expect(identities.find(call({ authorization: "a", "x-team": "b" }))).toBeUndefined();
  });

  test("is removed when it is the oldest, and when the code may have changed", () => {
    const identities = createIdentityCache(cache(), clock);
    const [a, b, c] = ["a", "b", "c"].map((authorization) => call({ authorization }));
    if (!a || !b || !c) throw new Error("three calls");
    identities.remember(a, userOf("a"));
    identities.remember(b, userOf("b"));
    identities.find(a);
    identities.remember(c, userOf("c"));
    expect([a, b, c].map((one) => identities.find(one)?.identity)).toEqual(["a", undefined, "c"]);
    identities.clear();
    expect(identities.find(a)).toBeUndefined();
  });

  test("is not cached without any of the headers, or without a configuration", () => {
    const identities = createIdentityCache(cache(), clock);
    identities.remember(call({ accept: "*/*" }), userOf("nobody"));
    expect(identities.find(call({ accept: "*/*" }))).toBeUndefined();
    for (const without of [undefined, cache({ cache_keys: [] })]) {
      const none = createIdentityCache(without, clock);
      none.remember(call({ authorization: "a" }), userOf("ada"));
      expect(none.find(call({ authorization: "a" }))).toBeUndefined();
    }
  });
});
