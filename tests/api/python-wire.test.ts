/**
 * Sends requests byte by byte as `langgraph-sdk` for Python 0.4.5 does over httpx 0.28. It leaves out body members that
 * are None, but not query parameters; writes booleans of the query in lower case and lists as repeated keys; quotes any
 * text in a path; and sends `Content-Length: 0` and no content type with a POST that has no body.
 */
import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { json, raw, rawStream, type RawAnswer } from "../support/raw.ts";
import { useServer } from "../support/use-server.ts";
import { commandOf, readEvents, runIs } from "./thread-events.ts";

const server = useServer({ app: resolve(import.meta.dirname, "apps/modes") });

const CLIENT = {
  accept: "*/*",
  "accept-encoding": "gzip, deflate",
  connection: "keep-alive",
  "user-agent": "langgraph-sdk-py/0.4.5",
};
const STREAM = { ...CLIENT, accept: "text/event-stream", "cache-control": "no-store" };

type Query = Record<string, string | number | boolean | null | string[]>;

function address(path: string, query: Query = {}): string {
  const url = new URL(server.url + path);
  for (const [name, value] of Object.entries(query))
    for (const one of [value].flat()) url.searchParams.append(name, one === null ? "" : String(one));
  return url.href;
}

function send(method: string, path: string, body?: object, query?: Query, more = {}): Promise<RawAnswer> {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const headers: Record<string, string> = { ...CLIENT, ...more };
  if (text !== undefined || method === "POST") headers["content-length"] = String(Buffer.byteLength(text ?? ""));
  return raw(address(path, query), { method, body: text, headers });
}

async function sendJson<T = Record<string, unknown>>(...args: Parameters<typeof send>): Promise<T> {
  const answer = await send(...args);
  expect([200, answer.text]).toEqual([answer.status, answer.text]);
  return json<T>(answer);
}

const hello = { messages: [{ role: "user", content: "hello" }] };
/** The default body of a call that starts a run. */
const chat = {
  input: hello,
  stream_mode: "values",
  stream_subgraphs: false,
  stream_resumable: false,
  assistant_id: "chat",
};
const newThread = async () => (await sendJson<{ thread_id: string }>("POST", "/threads", {})).thread_id;

describe("assistants", () => {
  test("are drawn and described, with booleans and numbers in the query", async () => {
    for (const xray of [false, true, 1]) {
      const drawing = await sendJson("GET", "/assistants/family/graph", undefined, { xray });
      expect(Object.keys(drawing)).toEqual(["nodes", "edges"]);
    }
    expect(await sendJson("GET", "/assistants/family/subgraphs", undefined, { recurse: false })).toHaveProperty(
      "child",
    );
    expect(await sendJson("GET", "/assistants/family/subgraphs/child", undefined, { recurse: true })).toHaveProperty(
      "child",
    );
    expect((await send("GET", "/assistants/no%2Fsuch%2Fthing")).status).toBe(404);
  });

  test("are created, updated, found page by page, and deleted with their threads", async () => {
    const made = await sendJson("POST", "/assistants", { graph_id: "chat", metadata: { k: "v" }, name: "Mine" });
    const path = `/assistants/${String(made.assistant_id)}`;
    expect(await sendJson("PATCH", path, { config: {}, context: {}, metadata: { z: 1 } })).toMatchObject({
      version: 2,
    });
    expect(await sendJson("POST", `${path}/latest`, { version: 1 })).toMatchObject({ name: "Mine" });
    const page = await send("POST", "/assistants/search", { limit: 1, offset: 0 });
    expect(page.headers["x-pagination-next"]).toBe("1");
    expect(await sendJson("POST", "/assistants/count", { metadata: { k: "v" } })).toBe(1);
    expect((await send("DELETE", path, undefined, { delete_threads: true })).status).toBe(200);
  });
});

describe("threads", () => {
  test("are created with a time to live, updated with and without a response body, and copied by a POST without a body", async () => {
    const ttl = { ttl: 5, strategy: "delete" };
    const { thread_id } = await sendJson("POST", "/threads", { metadata: { graph_id: "chat" }, ttl });
    const path = `/threads/${String(thread_id)}`;
    expect(await sendJson("GET", path, undefined, { include: "ttl" })).toMatchObject({ ttl: { ttl_minutes: 5 } });
    const minimal = await send("PATCH", path, { metadata: { a: 1 } }, {}, { prefer: "return=minimal" });
    expect([minimal.status, minimal.text]).toEqual([204, ""]);
    expect(await sendJson("PATCH", path, { metadata: { b: 1 } })).toMatchObject({ metadata: { a: 1, b: 1 } });
    const copy = await sendJson("POST", `${path}/copy`);
    expect(await sendJson("POST", "/threads/prune", { thread_ids: [copy.thread_id] })).toEqual({ pruned_count: 1 });
  });

  test("return their state at a checkpoint object, and their history before one", async () => {
    const path = `/threads/${await newThread()}`;
    await sendJson("POST", `${path}/runs/wait`, { input: hello, assistant_id: "chat", raise_error: true });
    const states = await sendJson<{ checkpoint: { checkpoint_id: string } }[]>("POST", `${path}/history`, {
      limit: 10,
    });
    const [newest, before] = states.map(({ checkpoint }) => checkpoint);
    const history = await sendJson("POST", `${path}/history`, { limit: 1, before: newest });
    expect(history).toMatchObject([{ checkpoint: before }]);
    const request = { checkpoint: before, subgraphs: false };
    expect(await sendJson("POST", `${path}/state/checkpoint`, request)).toMatchObject({ checkpoint: before });
    const byId = `${path}/state/${before?.checkpoint_id}`;
    expect(await sendJson("GET", byId, undefined, { subgraphs: false })).toMatchObject({ checkpoint: before });
    expect(await sendJson("GET", `${path}/state`, undefined, { subgraphs: true })).toMatchObject({
      checkpoint: newest,
    });
    expect(await sendJson("POST", `${path}/state`, { values: null, as_node: "model" })).toHaveProperty("checkpoint");
  });
});

describe("runs", () => {
  const stream = async (path: string, body: object) =>
    rawStream(address(path), { body: JSON.stringify(body), headers: STREAM });

  test("are streamed, and joined again at their location after a lost connection", async () => {
    const thread = await newThread();
    const started = await stream(`/threads/${thread}/runs/stream`, { ...chat, stream_resumable: true });
    const events = await started.end();
    expect(started.headers["content-type"]).toBe("text/event-stream");
    const run = `/threads/${thread}/runs/${json<{ run_id: string }>({ text: events[0]?.data ?? "" }).run_id}`;
    expect(started.headers).toMatchObject({ "content-location": run, location: `${run}/stream` });
    const again = await rawStream(address(`${run}/stream`), { headers: { ...STREAM, "last-event-id": "0" } });
    expect(await again.end()).toEqual(events.slice(1));
    for (const query of [
      { stream_mode: null, cancel_on_disconnect: false },
      { stream_mode: "values", cancel_on_disconnect: true },
      { stream_mode: ["values", "updates"], cancel_on_disconnect: false },
    ]) {
      const url = address(`${run}/stream`, query);
      const joined = await rawStream(url, { headers: { ...STREAM, "last-event-id": "-1" } });
      expect(await joined.end()).toEqual(events);
    }
  });

  test("without a thread have a location only when they are resumable", async () => {
    const plain = await stream("/runs/stream", chat);
    await plain.end();
    expect(plain.headers.location).toBeUndefined();
    expect(plain.headers["content-location"]).toMatch(/^\/runs\/[0-9a-f-]{36}$/);
  });

  test("are listed with selected members, joined, cancelled by a POST without a body, and deleted", async () => {
    const thread = await newThread();
    const path = `/threads/${thread}/runs`;
    const command = { resume: "yes" };
    const refused = await send("POST", path, { ...chat, input: undefined, command });
    expect(refused.status).toBe(422);
    const slow = await sendJson<{ run_id: string }>("POST", path, { ...chat, assistant_id: "slow" });
    const at = `${path}/${slow.run_id}`;
    expect((await send("POST", `${at}/cancel`, undefined, { wait: 0, action: "interrupt" })).status).toBe(202);
    const joined = await send("GET", `${at}/join`);
    expect(joined.status).toBe(200);
    const done = await send("POST", `${at}/cancel`, undefined, { wait: 1, action: "rollback" });
    expect([done.status, done.text]).toEqual([204, ""]);
    const query = { limit: 10, offset: 0, status: "interrupted", select: ["run_id", "status"] };
    expect(await sendJson("GET", path, undefined, query)).toEqual([{ run_id: slow.run_id, status: "interrupted" }]);
    expect((await send("DELETE", at)).text).toBe("");
    await sendJson("POST", path, { ...chat, assistant_id: "slow" });
    expect((await send("POST", "/runs/cancel", { status: "all" }, { action: "interrupt" })).status).toBe(204);
    expect(await sendJson("POST", "/runs/batch", [{ assistant_id: "chat", input: hello }])).toHaveLength(1);
  });
});

test("crons end at a time without a zone, which is read in the server's, or never", async () => {
  const thread = await newThread();
  const times = { schedule: "5 4 * * *", end_time: "2036-12-01T08:30:00.123456", timezone: "Europe/Berlin" };
  const made = await sendJson("POST", `/threads/${thread}/runs/crons`, {
    ...times,
    assistant_id: "chat",
    enabled: false,
  });
  expect(made).toMatchObject({ thread_id: thread, end_time: expect.stringMatching(/^2036-1[12]-/) as string });
  const path = `/runs/crons/${String(made.cron_id)}`;
  expect(await sendJson("PATCH", path, { end_time: null })).toMatchObject({ end_time: null });
  expect(await sendJson("PATCH", path, { end_time: "2036-12-01T08:30:00+00:00" })).toHaveProperty("end_time");
  const search = { thread_id: thread, enabled: false, limit: 10, offset: 0, select: ["cron_id"] };
  expect(await sendJson("POST", "/runs/crons/search", search)).toEqual([{ cron_id: made.cron_id }]);
  expect(await sendJson("POST", "/runs/crons/count", { thread_id: thread })).toBe(1);
  expect((await send("DELETE", path)).text).toBe("");
});

test("items of the store are read by a namespace with dots, and deleted by a body", async () => {
  const item = { namespace: ["a", "b"], key: "k" };
  expect((await send("PUT", "/store/items", { ...item, value: { n: 1 }, index: false, ttl: 10 })).status).toBe(204);
  const query = { key: "k", namespace: "a.b", refresh_ttl: true };
  expect(await sendJson("GET", "/store/items", undefined, query)).toMatchObject({ ...item, value: { n: 1 } });
  const search = { namespace_prefix: ["a"], filter: { n: 1 }, limit: 10, offset: 0 };
  expect(await sendJson("POST", "/store/items/search", search)).toMatchObject({ items: [item] });
  expect(await sendJson("POST", "/store/namespaces", { limit: 100, offset: 0 })).toMatchObject({
    namespaces: [["a", "b"]],
  });
  expect((await send("DELETE", "/store/items", item)).status).toBe(204);
  expect(await sendJson("GET", "/store/items", undefined, { key: "k", namespace: "a.b" })).toBeNull();
});

describe("streams of threads", () => {
  const eventsOf = async (assistant: string, request: object) => {
    const thread = randomUUID();
    const params = { assistant_id: assistant, input: hello, config: { configurable: { thread_id: thread } } };
    await commandOf(server.url, thread, "run.start", params);
    const events = await readEvents(server.url, thread, request, runIs("completed"), CLIENT);
    return events.map(({ envelope }) => ({ method: envelope.method, ...envelope.params }));
  };

  test("have the messages of a graph's nodes under the graph itself", async () => {
    const request = { channels: ["lifecycle", "messages"], depth: 0, namespaces: [[]] };
    const messages = (await eventsOf("chat", request)).filter(({ method }) => method === "messages");
    expect(messages.map(({ data }) => (data as { event: string }).event)).toContain("message-finish");
    expect(messages.map(({ namespace }) => namespace)).toEqual(messages.map(() => []));
  });

  test("have no end but that of the run, and subgraphs by their tasks", async () => {
    const events = await eventsOf("family", { channels: ["lifecycle", "tasks", "messages"], namespaces: [[]] });
    const lives = events.filter(({ method }) => method === "lifecycle");
    const ends = lives.filter(({ data }) => (data as { event: string }).event === "completed");
    expect(ends.map(({ namespace }) => namespace)).toEqual([[]]);
    expect(lives.some(({ namespace }) => namespace[0]?.startsWith("child:"))).toBe(true);
    const child = events.filter(({ method, namespace }) => method === "messages" && namespace.length === 1);
    expect(child.length).toBeGreaterThan(0);
  });
});
