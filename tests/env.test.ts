import fc from "fast-check";
import { expect, test } from "vitest";
import { EnvironmentError, isReachable, keyWarning, readEnvironment } from "../lib/env.ts";
import { MOST_WORKERS } from "../lib/protocol/most-workers.ts";

const KEY = "0123456789abcdef0123456789abcdef";
const anyHost = fc.constantFrom("127.0.0.1", "localhost", "::1", "0.0.0.0", "::", "192.0.2.1");
const anyPublicUrl = fc.constantFrom(
  undefined,
  "http://localhost:2024",
  "http://a.localhost",
  "https://agents.example",
);
const anyKey = fc.constantFrom(undefined, "short", KEY);

function read(HOST: string, PUBLIC_URL: string | undefined, GRAPHLIB_API_KEY: string | undefined) {
  try {
    return readEnvironment({ HOST, PUBLIC_URL, GRAPHLIB_API_KEY });
  } catch (error) {
    if (error instanceof EnvironmentError) return undefined;
    throw error;
  }
}

test("a server is reachable with an address that is not loopback, or with a public name in PUBLIC_URL", () => {
  for (const HOST of ["127.0.0.1", "::1", "localhost"]) {
    expect(isReachable({ HOST, PUBLIC_URL: undefined })).toBe(false);
    expect(isReachable({ HOST, PUBLIC_URL: "http://bot.localhost:2024" })).toBe(false);
    expect(isReachable({ HOST, PUBLIC_URL: "https://agents.example" })).toBe(true);
  }
  expect(isReachable({ HOST: "0.0.0.0", PUBLIC_URL: "http://localhost:2024" })).toBe(true);
});

test("a reachable server accepts no short key, and deploys local sources only when ALLOW_LOCAL_SOURCES is set", () => {
  fc.assert(
    fc.property(anyHost, anyPublicUrl, anyKey, (host, url, key) => {
      const environment = read(host, url, key);
      if (!environment) return;
      const reachable = isReachable(environment);
      expect(environment.ALLOW_LOCAL_SOURCES).toBe(!reachable);
      if (reachable) expect(environment.GRAPHLIB_API_KEY).not.toBe("short");
    }),
  );
  expect(readEnvironment({ PUBLIC_URL: "https://agents.example", ALLOW_LOCAL_SOURCES: "1" }).ALLOW_LOCAL_SOURCES).toBe(
    true,
  );
});

test("with a key of 32 characters a server starts at any address, without a warning", () => {
  fc.assert(
    fc.property(anyHost, anyPublicUrl, (host, url) => {
      const environment = read(host, url, KEY);
      expect(environment && keyWarning(environment)).toBeUndefined();
      expect(environment).toBeDefined();
    }),
  );
});

test("a server with a public name and no key starts, with a warning of who can run code there", () => {
  const environment = readEnvironment({ PUBLIC_URL: "https://agents.example" });
  expect(keyWarning(environment)).toMatch(/no GRAPHLIB_API_KEY: whoever reaches https:\/\/agents\.example /);
  expect(keyWarning(readEnvironment({}))).toBeUndefined();
});

test("GRAPHLIB_WORKERS is a whole number up to the limit of the setting, 1 when left out", () => {
  const workers = (GRAPHLIB_WORKERS?: string): number => readEnvironment({ GRAPHLIB_WORKERS }).GRAPHLIB_WORKERS;
  expect([workers(), workers(""), workers("3"), workers(`${MOST_WORKERS}`)]).toEqual([1, 1, 3, MOST_WORKERS]);
  for (const wrong of ["0", "-1", "1.5", "many", `${MOST_WORKERS + 1}`]) {
    expect(() => workers(wrong)).toThrow(`GRAPHLIB_WORKERS: expected a whole number from 1 to ${MOST_WORKERS}`);
  }
});
