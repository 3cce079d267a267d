import fc from "fast-check";
import { expect, test } from "vitest";
import { EnvironmentError, isReachable, keyWarning, readEnvironment, readS3Environment } from "../lib/env.ts";
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

const SHARING = { GRAPHLIB_ROLES: "run", GRAPHLIB_SECRET: KEY };
const DATABASE = "postgres://user:password@db.example/agents";

test("the names that other servers of LangGraph have for settings count where ours are not set", () => {
  const others = { POSTGRES_URI: DATABASE, REDIS_URI: "redis://redis.example", N_JOBS_PER_WORKER: "7" };
  expect(readEnvironment(others)).toMatchObject({
    DATABASE_URL: DATABASE,
    REDIS_URL: "redis://redis.example",
    GRAPHLIB_RUN_SLOTS: 7,
  });
  expect(readEnvironment({ ...others, GRAPHLIB_RUN_SLOTS: "3", REDIS_URL: "" })).toMatchObject({
    REDIS_URL: "redis://redis.example",
    GRAPHLIB_RUN_SLOTS: 3,
  });
});

test("a pooler needs a second address, without it", () => {
  const pooled = { DATABASE_URL: DATABASE, DATABASE_POOLED: "1" };
  expect(() => readEnvironment(pooled)).toThrow("DATABASE_POOLED needs DATABASE_DIRECT_URL");
  expect(readEnvironment({ ...pooled, DATABASE_DIRECT_URL: DATABASE }).DATABASE_POOLED).toBe(true);
});

test("blobs are in the database, a folder or a bucket, and nothing else", () => {
  const placeOf = (GRAPHLIB_BLOBS?: string) =>
    readEnvironment({ ...SHARING, DATABASE_URL: DATABASE, GRAPHLIB_BLOBS }).GRAPHLIB_BLOBS;
  expect(placeOf()).toBe("database");
  expect(placeOf("/mnt/shared")).toEqual({ folder: "/mnt/shared" });
  expect(placeOf("s3://builds")).toEqual({ bucket: "builds", prefix: "" });
  expect(placeOf("s3://my.builds/of/agents/")).toEqual({ bucket: "my.builds", prefix: "of/agents" });
  for (const wrong of ["shared", "./shared", "s3://", "s3://UPPER", "https://example.com", "gs://builds"]) {
    expect(() => placeOf(wrong)).toThrow("GRAPHLIB_BLOBS: expected database");
  }
});

test("S3 is reached as Amazon's own programs do", () => {
  expect(() => readS3Environment({})).toThrow(/AWS_ACCESS_KEY_ID.*\n.*AWS_SECRET_ACCESS_KEY/);
  const keys = { AWS_ACCESS_KEY_ID: "id", AWS_SECRET_ACCESS_KEY: "secret" };
  expect(readS3Environment(keys)).toMatchObject({ region: "us-east-1", endpoint: undefined });
  const local = { ...keys, AWS_DEFAULT_REGION: "eu-west-1", AWS_ENDPOINT_URL: "http://minio:9000/" };
  expect(readS3Environment(local)).toMatchObject({ region: "eu-west-1", endpoint: "http://minio:9000" });
});
