import { join } from "node:path";
import { Client } from "@langchain/langgraph-sdk";
import { expect, test } from "vitest";
import { raw } from "../support/raw.ts";
import { useServer } from "../support/use-server.ts";

const server = useServer({ app: join(import.meta.dirname, "apps", "mounted") });

test("the API is served below its prefix, for the official client too, and passes the configured headers to runs", async () => {
  const client = new Client({
    apiUrl: `${server.url}/api/v1`,
    defaultHeaders: { "x-team": "blue", "x-other": "red", "accept-language": "fr" },
  });
  const { configurable } = (await client.runs.wait(null, "echo", { input: { configurable: {} } })) as unknown as {
    configurable: object;
  };
  expect(configurable).toMatchObject({ "x-team": "blue", "accept-language": "fr" });
  expect(Object.keys(configurable)).not.toEqual(expect.arrayContaining(["x-other"]));
  expect(configurable).not.toHaveProperty("accept-encoding");
  expect((await raw(`${server.url}/agents/default/api/v1/ok`)).text).toBe('{"ok":true}');
  expect((await raw(`${server.url}/assistants/echo`)).status).toBe(200);
});

test("a resource that is switched off has no routes", async () => {
  const search = await raw(`${server.url}/threads/search`, { body: "{}" });
  expect(search).toMatchObject({ status: 404, text: "No such route: POST /threads/search" });
  expect((await raw(`${server.url}/info`)).status).toBe(404);
  // Runs of a thread are switched off with runs.
  const runs = await raw(`${server.url}/threads/${crypto.randomUUID()}/runs`);
  expect(runs).toMatchObject({ status: 404, text: expect.stringContaining("Thread with ID") });
});

test("only the configured origin may read responses, faults and streams", async () => {
  const request = (path: string, origin: string, body?: string) =>
    raw(server.url + path, { headers: { origin }, ...(body !== undefined && { body }) });
  for (const [path, body] of [
    ["/ok", undefined],
    ["/runs/nowhere/to/go", undefined],
    ["/assistants/none", undefined],
    ["/runs/stream", '{"assistant_id":"echo","input":null}'],
  ] as const) {
    const { headers } = await request(path, "https://app.test", body);
    expect(headers["access-control-allow-origin"]).toBe("https://app.test");
    expect(headers["access-control-allow-credentials"]).toBe("true");
    expect(headers["access-control-expose-headers"]).toMatch(/content-location.*x-own/);
    expect(headers.vary).toMatch(/origin/i);
    expect((await request(path, "https://evil.test", body)).headers).not.toHaveProperty("access-control-allow-origin");
  }
});

test("a preflight request is answered for the configured origin", async () => {
  const preflight = (origin: string) =>
    raw(`${server.url}/runs/stream`, {
      method: "OPTIONS",
      headers: { origin, "access-control-request-method": "POST", "access-control-request-headers": "x-team" },
    });
  expect(await preflight("https://app.test")).toMatchObject({
    status: 204,
    headers: { "access-control-allow-origin": "https://app.test", "access-control-allow-headers": "x-team" },
  });
  expect((await preflight("https://evil.test")).headers).not.toHaveProperty("access-control-allow-origin");
});
