import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { Client } from "@langchain/langgraph-sdk";
import { beforeAll, describe, expect, test } from "vitest";
import { operations } from "../../lib/protocol/operations.ts";
import type { Operation } from "../../lib/protocol/operations/operation.ts";
import { SESSION_COOKIE } from "../../lib/protocol/session.ts";
import { raw } from "../support/raw.ts";
import { useServer } from "../support/use-server.ts";
import { signIn } from "../support/sign-in.ts";

const KEY = "correct horse battery";
const server = useServer({ own: true, env: { GRAPHLIB_API_KEY: KEY } });

const rows: [string, Operation][] = Object.entries(operations);
const pathOf = (operation: Operation): string => operation.path.replaceAll(/\[[a-z_]+\]/g, "echo");
const call = (operation: Operation, headers: Record<string, string>) =>
  raw(server.url + pathOf(operation), {
    method: operation.method,
    body: operation.method === "POST" ? '{"assistant_id":"echo","input":{"messages":[]}}' : undefined,
    headers,
  });

describe.each(rows)("%s", (_, operation) => {
  test("needs no key only where it is open", async () => {
    const answer = await call(operation, {});
    if (operation.open) expect(answer.status).not.toBe(401);
    else expect(answer).toMatchObject({ status: 401, headers: { "www-authenticate": expect.any(String) } });
  });

  test("refuses a wrong key unless it is open, and accepts the right one in both forms", async () => {
    const wrong = await call(operation, { "x-api-key": `${KEY}r` });
    // After ten wrong keys the address gets 429.
    expect([401, 429].includes(wrong.status)).toBe(!operation.open);
    expect((await call(operation, { "x-api-key": KEY })).status).not.toBe(401);
    expect((await call(operation, { authorization: `Bearer ${KEY}` })).status).not.toBe(401);
  });
});

test("the official client sends the key as servers expect it", async () => {
  const client = new Client({ apiUrl: server.url, apiKey: KEY });
  expect(await client.assistants.get("echo")).toMatchObject({ graph_id: "echo" });
});

describe("a console session", () => {
  let cookie: string;
  beforeAll(async () => {
    cookie = await signIn(server.url, KEY);
  });
  const request = (headers: Record<string, string>) => raw(`${server.url}/assistants/echo`, { headers });

  test("counts for requests that the browser marks as from a page of this origin", async () => {
    expect((await request({ cookie, "sec-fetch-site": "same-origin" })).status).toBe(200);
  });

  test("does not count for requests of other sites", async () => {
    for (const site of ["cross-site", "same-site", "none"]) {
      expect((await request({ cookie, "sec-fetch-site": site })).status).toBe(401);
    }
    expect((await request({ cookie })).status).toBe(401);
  });

  test("with a made-up id does not count", async () => {
    const forged = `${SESSION_COOKIE}=${"a".repeat(43)}`;
    expect((await request({ cookie: forged, "sec-fetch-site": "same-origin" })).status).toBe(401);
  });
});

const boot = (env: Record<string, string>) =>
  spawnSync(process.execPath, ["lib/server.ts"], {
    cwd: resolve(import.meta.dirname, "../.."),
    env: { PATH: process.env.PATH, NODE_ENV: "production", ...env },
    encoding: "utf8",
  });

test("without a key the server does not listen to other machines, and names the variable to set", () => {
  for (const HOST of ["0.0.0.0", "::", "192.0.2.1", "example.test"]) {
    const { status, stderr } = boot({ HOST, PORT: "0" });
    expect(status).toBe(1);
    expect(stderr).toMatch(/Set GRAPHLIB_API_KEY/);
    expect(stderr).not.toMatch(/ at .*\.ts:/);
  }
});

test("with a short key it does not listen either, shows how to make one, and does not print the key", () => {
  const [first, second] = ["hunter22", "0123456789abcdef0123456789abcde"] as const;
  const settings: ({ GRAPHLIB_API_KEY: string } & Record<string, string>)[] = [
    { HOST: "0.0.0.0", GRAPHLIB_API_KEY: first },
    { HOST: "0.0.0.0", GRAPHLIB_API_KEY: second },
    { PUBLIC_URL: "https://agents.example.com", GRAPHLIB_API_KEY: second },
  ];
  for (const setting of settings) {
    const { GRAPHLIB_API_KEY } = setting;
    const { status, stderr, stdout } = boot({ ...setting, PORT: "0" });
    expect(status).toBe(1);
    expect(stderr).toMatch(/GRAPHLIB_API_KEY is too short[^]*openssl rand -base64 32/);
    expect(stderr + stdout).not.toContain(GRAPHLIB_API_KEY);
  }
});

test("on loopback a short key causes one line of warning", () => {
  const lines = server
    .output()
    .split("\n")
    .filter((line) => line.includes("GRAPHLIB_API_KEY has less than 32"));
  expect(lines).toHaveLength(1);
  expect(server.output()).not.toContain(KEY);
});

test("every malformed variable is named at once", () => {
  const { status, stderr } = boot({ PORT: "http", PUBLIC_URL: "not a url", GRAPHLIB_RUN_SLOTS: "0" });
  expect(status).toBe(1);
  for (const name of ["PORT", "PUBLIC_URL", "GRAPHLIB_RUN_SLOTS"]) expect(stderr).toContain(`${name}: `);
});
