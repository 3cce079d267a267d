import { resolve } from "node:path";
import { Client } from "@langchain/langgraph-sdk";
import { beforeAll, expect, test } from "vitest";
import { json, raw } from "../support/raw.ts";
import { useServer } from "../support/use-server.ts";

const server = useServer({ app: resolve(import.meta.dirname, "apps/modes") });
let client: Client;
beforeAll(() => {
  client = new Client({ apiUrl: server.url, apiKey: null });
});

const input = { messages: [{ role: "user", content: "hello" }] };

test("wait returns the last values, with any stream mode", async () => {
  const values = { messages: [{ content: "hello" }, { content: "Hi!", type: "ai" }] };
  expect(await client.runs.wait(null, "chat", { input })).toMatchObject(values);
  expect(await client.runs.wait(null, "chat", { input, streamMode: "updates" } as never)).toMatchObject(values);
});

test("wait for a failing run is 200 with the error", async () => {
  const answer = await raw(`${server.url}/runs/wait`, { body: JSON.stringify({ assistant_id: "failing", input }) });
  expect(answer.status).toBe(200);
  expect(answer.headers["content-type"]).toBe("application/json");
  expect(answer.headers["content-location"]).toMatch(/^\/runs\/[0-9a-f-]{36}$/);
  expect(json(answer)).toEqual({
    __error__: { error: "RangeError", message: "kaput", source: { file: "graphs.mjs", line: 39 } },
  });
  await expect(client.runs.wait(null, "failing", { input })).rejects.toThrow("RangeError: kaput");
});

test("wait for a run that is interrupted returns the state and the interrupt", async () => {
  expect(await client.runs.wait(null, "ask", { input })).toMatchObject({
    messages: [{ content: "hello" }],
    __interrupt__: [{ value: { q: "ok?" } }],
  });
});

test("a run without a thread is found by its id while it is stored, and so is one on a thread", async () => {
  const alone = await client.runs.create(null, "chat", { input, metadata: { ticket: 7 } });
  const { thread_id } = await client.threads.create();
  const threaded = await client.runs.create(thread_id, "chat", { input });
  await client.runs.join(thread_id, threaded.run_id);
  for (const { run_id } of [alone, threaded]) {
    const answer = await raw(`${server.url}/runs/${run_id}`);
    expect([answer.status, json(answer)]).toMatchObject([200, { run_id }]);
  }
  expect((await raw(`${server.url}/threads/${alone.thread_id}/runs/${alone.run_id}`)).status).toBe(404);
  expect((await raw(`${server.url}/runs/${thread_id}`)).status).toBe(404);
  expect((await raw(`${server.url}/runs/none`)).status).toBe(404);
});

test("a background run is returned as pending and can be followed to its end", async () => {
  const run = await client.runs.create(null, "chat", { input, metadata: { ticket: 7 } });
  expect(run).toMatchObject({ status: "pending", metadata: { ticket: 7 }, multitask_strategy: "enqueue" });
  const parts = [];
  for await (const part of client.runs.joinStream(null, run.run_id, { lastEventId: "-1" })) parts.push(part);
  expect(parts.map((part) => part.event)).toEqual(["metadata", "values", "values"]);
});

test("a delayed run starts when it is due", async () => {
  const before = Date.now();
  const run = await client.runs.create(null, "chat", { input, afterSeconds: 1 });
  for await (const part of client.runs.joinStream(null, run.run_id, { lastEventId: "-1" })) void part;
  expect(Date.now() - before).toBeGreaterThanOrEqual(1_000);
});

test("headers x-* of the caller reach the run, its key does not", async () => {
  const answer = await raw(`${server.url}/runs/wait`, {
    body: JSON.stringify({ assistant_id: "seen", input: {} }),
    headers: { "x-team": "blue", "x-api-key": "secret" },
  });
  const { seen } = json<{ seen: { configurable: Record<string, string> } }>(answer);
  expect(seen.configurable["x-team"]).toBe("blue");
  expect(answer.text).not.toContain("secret");
});

test("the stream of an unknown run is 404", async () => {
  const answer = await raw(`${server.url}/runs/0192f0c0-0000-7000-8000-000000000000/stream`);
  expect([answer.status, answer.text]).toEqual([404, "Run not found"]);
});
