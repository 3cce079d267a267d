import { describe, expect, test } from "vitest";
import { json, raw } from "../support/raw.ts";
import { useServer } from "../support/use-server.ts";

const server = useServer();

const body = JSON.stringify({ assistant_id: "echo", input: { messages: [{ role: "user", content: "hello" }] } });

describe.each([
  ["the bare root", "", {}],
  ["the path /agents/default", "/agents/default", {}],
  ["the host default.agents.*", "", { host: "default.agents.localhost" }],
])("at %s", (_, base, headers) => {
  test("runs are streamed", async () => {
    const answer = await raw(`${server.url}${base}/runs/stream`, { body, headers });
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('"content":"hello"');
  });

  test("assistants, health and version are served", async () => {
    expect((await raw(`${server.url}${base}/assistants/echo`, { headers })).status).toBe(200);
    expect(json(await raw(`${server.url}${base}/ok`, { headers }))).toEqual({ ok: true });
    expect(json(await raw(`${server.url}${base}/info`, { headers }))).toMatchObject({
      version: "0.5.0",
      context: "js",
    });
  });

  test("a slash at the end changes nothing", async () => {
    expect((await raw(`${server.url}${base}/runs/wait/`, { body, headers })).status).toBe(200);
  });

  test("an unknown path is a plain 404 that names it", async () => {
    const answer = await raw(`${server.url}${base}/runs/nothing/here`, { headers });
    expect(answer.status).toBe(404);
    expect(answer.text).toContain("No such route: GET");
  });
});

test("a deployment that does not exist is 404 with its name", async () => {
  for (const [path, headers] of [
    ["/agents/nobody/ok", {}],
    ["/ok", { host: "nobody.agents.localhost" }],
  ] as const) {
    const answer = await raw(server.url + path, { headers });
    expect([answer.status, answer.text]).toEqual([404, 'No deployment named "nobody"']);
  }
});

test("pages of this machine may call the API and read its headers", async () => {
  const origin = "http://localhost:3000";
  const preflight = await raw(`${server.url}/runs/stream`, {
    method: "OPTIONS",
    headers: { origin, "access-control-request-headers": "content-type, x-api-key" },
  });
  expect(preflight.status).toBe(204);
  expect(preflight.headers["access-control-allow-origin"]).toBe(origin);
  expect(preflight.headers["access-control-allow-headers"]).toBe("content-type, x-api-key");
  for (const answer of [
    await raw(`${server.url}/runs/wait`, { headers: { origin }, body }),
    await raw(`${server.url}/runs/wait`, { headers: { origin }, body: "{" }),
    await raw(`${server.url}/runs/nothing`, { headers: { origin } }),
  ]) {
    expect(answer.headers["access-control-allow-origin"]).toBe(origin);
    expect(answer.headers["access-control-expose-headers"]).toMatch(/content-location.*x-pagination-total/);
  }
});
