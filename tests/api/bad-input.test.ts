import { request } from "node:http";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { operations } from "../../lib/protocol/operations.ts";
import type { Operation } from "../../lib/protocol/operations/operation.ts";
import { json, raw } from "../support/raw.ts";
import { useServer } from "../support/use-server.ts";

const server = useServer({ own: true });

const post = (body: string, headers = {}) => raw(`${server.url}/runs/stream`, { body, headers });

describe("a body", () => {
  test("that is not JSON is 400", async () => {
    for (const body of ["{", "no", '{"a":1}}', "\u0000"]) {
      const answer = await post(body);
      expect([answer.status, answer.text]).toEqual([400, "Malformed JSON in request body"]);
    }
  });

  test.each([
    [{}, "assistant_id"],
    [{ assistant_id: 7 }, "assistant_id"],
    [{ assistant_id: "echo", stream_mode: "value" }, "stream_mode"],
    [{ assistant_id: "echo", stream_mode: ["values", 1] }, "stream_mode"],
    [{ assistant_id: "echo", config: { recursion_limit: 0 } }, "config.recursion_limit"],
    [{ assistant_id: "echo", interrupt_before: 3 }, "interrupt_before"],
    [{ assistant_id: "echo", on_disconnect: "perhaps" }, "on_disconnect"],
    [{ assistant_id: "echo", metadata: [] }, "metadata"],
    [[], ""],
    ["text", ""],
  ])("%j is 422 with the field and the expected value", async (body, field) => {
    const answer = await post(JSON.stringify(body));
    expect(answer.status).toBe(422);
    const { detail, issues } = json<{ detail: string; issues: { path: string; message: string }[] }>(answer);
    expect(issues[0]?.path).toBe(field);
    expect(issues[0]?.message).toMatch(/expected/i);
    expect(detail).toContain(field);
  });

  test("with unknown members is accepted", async () => {
    expect((await post('{"assistant_id":"echo","input":{"messages":[]},"novelty":true,"config":null}')).status).toBe(
      200,
    );
  });

  test("over 10 MB is 413, with and without a length", async () => {
    const large = JSON.stringify({ assistant_id: "echo", input: "x".repeat(10 * 1024 * 1024) });
    expect((await post(large)).status).toBe(413);
    expect(await chunked(large)).toBe(413);
    expect((await post(JSON.stringify({ assistant_id: "echo", input: { messages: [] } }))).status).toBe(200);
  });

  test("of 9 MB is accepted", async () => {
    const body = {
      assistant_id: "echo",
      input: { messages: [{ role: "user", content: "x".repeat(9 * 1024 * 1024) }] },
    };
    expect((await post(JSON.stringify(body))).text).toContain("xxxx");
  });

  test("nested deeper than 64 levels is 422", async () => {
    for (const depth of [70, 50_000]) {
      const answer = await post(`{"assistant_id":"echo","input":${"[".repeat(depth)}${"]".repeat(depth)}}`);
      expect(answer.status).toBe(422);
    }
  });
});

function chunked(body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(`${server.url}/runs/stream`, {
      method: "POST",
      headers: { "content-type": "application/json", "transfer-encoding": "chunked" },
    });
    sent.once("response", (answer) => resolve(answer.statusCode ?? 0));
    sent.once("error", reject);
    sent.end(body);
  });
}

test("a wrong query is 422 and names the parameter", async () => {
  const answer = await raw(`${server.url}/assistants/echo/graph?xray=maybe`);
  expect(answer.status).toBe(422);
  expect(answer.text).toContain("xray");
});

test("no answer to bad input has a path or a stack", async () => {
  for (const body of ["{", "{}", '{"assistant_id":"../../etc/passwd"}', '{"assistant_id":"echo","input":7}']) {
    const { text } = await post(body);
    expect(text).not.toMatch(/node_modules|\.ts:\d|\/home|\/root|at async/);
  }
});

describe("ten thousand random bodies", () => {
  const posts = Object.values(operations).filter(({ method }: Operation) => method === "POST" || method === "PATCH");
  const words =
    "assistant_id input config stream_mode metadata context command interrupt_before jsonrpc id method params message parts kind limit offset select graph_id name version if_exists __proto__";
  const field = fc.constantFrom(...words.split(" "));
  const value = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom("echo", "values", "messages-tuple", "2.0", "message/send", "tasks/get", null, -1, 1e308),
    fc.dictionary(field, fc.oneof(fc.jsonValue(), fc.dictionary(field, fc.jsonValue())), { maxKeys: 4 }),
  );
  const body = fc.oneof(
    { weight: 4, arbitrary: fc.dictionary(field, value, { maxKeys: 6 }).map((object) => JSON.stringify(object)) },
    { weight: 2, arbitrary: fc.json() },
    { weight: 1, arbitrary: fc.string({ unit: "binary" }) },
  );

  test("never get a 5xx, never end the server, never leave a rejection unhandled", { timeout: 300_000 }, async () => {
    const statuses = new Map<number, number>();
    const each = Math.ceil(10_000 / posts.length);
    for (const operation of posts) {
      const url = server.url + operation.path.replace("[assistant_id]", "echo");
      await fc.assert(
        fc.asyncProperty(fc.array(body, { minLength: 25, maxLength: 25 }), async (bodies) => {
          const answers = await Promise.all(bodies.map((text) => raw(url, { method: operation.method, body: text })));
          for (const { status } of answers) {
            statuses.set(status, (statuses.get(status) ?? 0) + 1);
            expect(status).toBeLessThan(500);
          }
        }),
        { numRuns: Math.ceil(each / 25), endOnFailure: true },
      );
    }
    expect([...statuses.values()].reduce((sum, n) => sum + n, 0)).toBeGreaterThanOrEqual(10_000);
    expect((await raw(`${server.url}/ok`)).status).toBe(200);
    expect(server.output()).not.toMatch(/unhandled|uncaught/i);
  });
});
