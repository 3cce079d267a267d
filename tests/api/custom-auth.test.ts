import { join } from "node:path";
import { Client } from "@langchain/langgraph-sdk";
import { describe, expect, test } from "vitest";
import { CALLER_HEADER } from "../../lib/protocol/session.ts";
import { raw } from "../support/raw.ts";
import { useServer } from "../support/use-server.ts";
import { SAME_ORIGIN, signIn } from "../support/sign-in.ts";

const KEY = "correct horse battery";
const server = useServer({
  app: join(import.meta.dirname, "apps", "guarded"),
  env: { GRAPHLIB_API_KEY: KEY },
  errors: [/: the application's (authentication|handler for assistants:read) (failed|returned)\b/],
});

const as = (user: string): Client =>
  new Client({ apiUrl: server.url, apiKey: null, defaultHeaders: { authorization: `Bearer ${user}` } });
const request = (user: string | undefined, path: string, body?: object) =>
  raw(server.url + path, {
    headers: user === undefined ? {} : { authorization: `Bearer ${user}` },
    ...(body && { body: JSON.stringify(body) }),
  });
const refused = (status: number) => expect.objectContaining({ status });

describe("authentication", () => {
  test("is the application's: status, message and headers are those that it throws", async () => {
    expect(await request(undefined, "/assistants/told")).toMatchObject({
      status: 401,
      text: "Who are you?",
      headers: { "www-authenticate": "Own", "x-why": "token", "access-control-allow-origin": "*" },
    });
  });

  test("that fails, or returns no identity, is a 500 without details", async () => {
    for (const token of ["wrong", "nobody"]) {
      const answer = await request(token, "/assistants/search", {});
      expect(answer.status).toBe(500);
      expect(answer.text).toMatch(/^Internal error \(request [0-9a-f-]+\)$/);
    }
    await expect.poll(() => server.output()).toContain("hunter2");
  });

  test("is not called for health, for open paths, or for a caller with the server's key", async () => {
    for (const path of ["/ok", "/info", "/a2a/told/.well-known/agent-card.json"])
      expect((await request(undefined, path)).status).toBe(200);
    expect((await raw(`${server.url}/assistants/told`, { headers: { "x-api-key": KEY } })).status).toBe(200);
  });

  test("is not called for the signed-in console, except when it sends credentials of its own", async () => {
    const session = { cookie: await signIn(server.url, KEY), ...SAME_ORIGIN };
    const call = async (headers: Record<string, string>) =>
      (await raw(`${server.url}/assistants/told`, { headers })).status;
    expect(await call(session)).toBe(200);
    expect(await call({ ...session, [CALLER_HEADER]: "custom" })).toBe(401);
    expect(await call({ ...session, [CALLER_HEADER]: "custom", authorization: "Bearer bob" })).toBe(404);
  });

  test("cannot be passed with the header of a studio", async () => {
    const answer = await raw(`${server.url}/assistants/told`, { headers: { "x-auth-scheme": "langsmith" } });
    expect(answer.status).toBe(401);
  });

  test("gives the graph the user who started its run, whatever the caller claims", async () => {
    const forged = { configurable: { langgraph_auth_user_id: "eve" } };
    const input = { wait: null };
    expect(await as("ada").runs.wait(null, "told", { input, config: forged })).toMatchObject({
      id: "ada",
      permissions: ["talk"],
      user: { identity: "ada", display_name: "ada", method: "POST", url: `${server.url}/runs/wait` },
    });
    expect(await as("plain").runs.wait(null, "told", { input })).toMatchObject({ id: "plain", permissions: [] });
  });

  test("guards A2A too", async () => {
    const message = { kind: "message", role: "user", messageId: "1", parts: [{ kind: "data", data: { wait: null } }] };
    const body = { jsonrpc: "2.0", id: 1, method: "message/send", params: { message } };
    expect(await request(undefined, "/a2a/told", body)).toMatchObject({ status: 401, text: "Who are you?" });
    const sent = JSON.parse((await request("ada", "/a2a/told", body)).text) as { result: { id: string } };
    const get = { jsonrpc: "2.0", id: 2, method: "tasks/get", params: { id: sent.result.id } };
    expect((await request("ada", "/a2a/told", get)).text).toContain(sent.result.id);
    expect((await request("bob", "/a2a/told", get)).text).toContain("-32001");
  });

  test("separates the tasks and contexts of A2A", async () => {
    const call = async (user: string, method: string, params: object) =>
      JSON.parse((await request(user, "/a2a/told", { jsonrpc: "2.0", id: 1, method, params })).text) as {
        result?: { id: string; contextId: string; tasks: { id: string }[]; artifacts: unknown };
        error?: { code: number };
      };
    const messageParams = (place: object) => ({
      message: { messageId: "1", role: "user", parts: [{ kind: "data", data: { wait: null } }], ...place },
    });
    const { result: hers } = await call("ada", "message/send", messageParams({}));
    for (const method of ["tasks/cancel", "CancelTask", "SubscribeToTask"]) {
      expect((await call("bob", method, { id: hers?.id })).error?.code).toBe(-32001);
    }
    expect((await call("bob", "message/send", messageParams({ taskId: hers?.id }))).error?.code).toBe(-32001);
    expect((await call("bob", "message/send", messageParams({ contextId: hers?.contextId }))).error?.code).toBe(-32001);
    // A context id that anybody can guess is a different context for each user.
    const named = await Promise.all(
      ["ada", "bob"].map((user) => call(user, "message/send", messageParams({ contextId: "1" }))),
    );
    expect(named.map(({ result }) => result?.artifacts)).toMatchObject([
      [{ parts: [{ data: { id: "ada" } }] }],
      [{ parts: [{ data: { id: "bob" } }] }],
    ]);
    const { result: read } = await call("reader", "message/send", messageParams({}));
    expect((await call("reader", "tasks/get", { id: read?.id })).result?.id).toBe(read?.id);
    expect((await call("reader", "tasks/cancel", { id: read?.id })).error).toEqual({
      code: -32000,
      message: "Forbidden",
    });
    const idsOf = async (user: string) => (await call(user, "ListTasks", {})).result?.tasks.map(({ id }) => id);
    expect(await idsOf("ada")).toContain(hers?.id);
    expect(await idsOf("bob")).toEqual([named[1]?.result?.id]);
  });
});

describe("a thread", () => {
  test("is stored with the metadata that the application adds, and only its owner sees it", async () => {
    const { thread_id, metadata } = await as("ada").threads.create({ metadata: { topic: "tea" } });
    expect(metadata).toMatchObject({ topic: "tea", owner: "ada" });
    const bob = as("bob");
    await expect(bob.threads.get(thread_id)).rejects.toEqual(refused(404));
    await expect(bob.threads.update(thread_id, { metadata: { owner: "bob" } })).rejects.toEqual(refused(404));
    await expect(bob.threads.getState(thread_id)).rejects.toEqual(refused(404));
    await expect(bob.threads.getHistory(thread_id)).rejects.toEqual(refused(404));
    await expect(bob.threads.copy(thread_id)).rejects.toEqual(refused(409));
    await expect(bob.threads.copy(crypto.randomUUID())).rejects.toEqual(refused(409));
    await expect(bob.runs.list(thread_id)).rejects.toEqual(refused(404));
    await expect(bob.threads.delete(thread_id)).rejects.toEqual(refused(404));
    await expect(bob.threads.create({ threadId: thread_id, ifExists: "do_nothing" })).rejects.toEqual(refused(409));
    await expect(bob.runs.create(thread_id, "told", { input: { wait: null } })).rejects.toEqual(refused(404));
    expect((await request("bob", "/threads/prune", { thread_ids: [thread_id] })).text).toBe('{"pruned_count":0}');
    expect((await as("ada").threads.get(thread_id)).metadata).toMatchObject({ topic: "tea", owner: "ada" });
  });

  test("is found and counted only by its owner", async () => {
    await as("carol").threads.create();
    await as("dave").threads.create();
    const found = await as("carol").threads.search();
    expect(found.map(({ metadata }) => metadata?.owner)).toEqual(["carol"]);
    expect(await as("carol").threads.count()).toBe(1);
    const page = await request("dave", "/threads/search", {});
    expect(page.headers["x-pagination-total"]).toBe("1");
  });

  test("that is created for a run has an owner too, and so have its runs", async () => {
    const thread_id = crypto.randomUUID();
    const ada = as("ada");
    const run = await ada.runs.create(thread_id, "told", { input: { wait: null }, ifNotExists: "create" });
    expect(run.metadata).toMatchObject({ owner: "ada" });
    await ada.runs.join(thread_id, run.run_id);
    expect((await ada.threads.get(thread_id)).metadata).toMatchObject({ owner: "ada", graph_id: "told" });
    const bob = as("bob");
    await expect(bob.runs.get(thread_id, run.run_id)).rejects.toEqual(refused(404));
    await expect(bob.runs.join(thread_id, run.run_id)).rejects.toEqual(refused(404));
    const error = { event: "error", data: { error: "HTTPException", message: "HTTP 404: Run not found" } };
    for (const [thread, id] of [
      [thread_id, run.run_id],
      [thread_id, crypto.randomUUID()],
      [crypto.randomUUID(), run.run_id],
    ] as const) {
      const events: object[] = [];
      for await (const event of bob.runs.joinStream(thread, id, { lastEventId: "-1" })) events.push(event);
      expect(events).toMatchObject([error]);
    }
    await expect(bob.runs.delete(thread_id, run.run_id)).rejects.toEqual(refused(404));
    await expect(bob.runs.cancel(thread_id, run.run_id)).rejects.toEqual(refused(404));
  });
});

test("nobody cancels or follows the runs of others", async () => {
  const ada = as("ada");
  const { thread_id } = await ada.threads.create();
  const run = await ada.runs.create(thread_id, "told", { input: { wait: true } });
  const alone = await ada.runs.create(null, "told", { input: { wait: true } });
  expect((await request("bob", "/runs/cancel", { status: "all" })).status).toBe(404);
  const { text } = await request("bob", `/runs/${alone.run_id}/stream`);
  expect(text).toBe('event: error\ndata: {"error":"HTTPException","message":"HTTP 404: Run not found"}\n\n');
  expect((await ada.runs.get(thread_id, run.run_id)).status).toMatch(/pending|running/);
  expect((await request("ada", "/runs/cancel", { status: "all" })).status).toBe(204);
});

test("only the owner reads a thread's stream and sends it commands", async () => {
  const { thread_id } = await as("ada").threads.create();
  const command = { id: 1, method: "state.get", params: { namespace: [] } };
  for (const [path, body] of [
    [`/threads/${thread_id}/commands`, command],
    [`/threads/${thread_id}/stream/events`, { channels: ["values"] }],
    [`/threads/${thread_id}/stream`, undefined],
  ] as const)
    expect(await request("bob", path, body)).toMatchObject({
      status: 404,
      text: `Thread with ID ${thread_id} not found`,
    });
  expect((await request("ada", `/threads/${thread_id}/commands`, command)).status).toBe(200);
});

test("items of the store have the namespaces that the application sets, and only those that pass its filter are returned", async () => {
  const ada = as("ada");
  await ada.store.putItem(["notes"], "one", { kind: "note" });
  expect(await ada.store.getItem(["notes"], "one")).toMatchObject({ namespace: ["ada", "notes"], key: "one" });
  expect((await ada.store.searchItems([], {})).items).toHaveLength(1);
  expect(await as("bob").store.getItem(["notes"], "one")).toBeNull();
  expect((await as("bob").store.searchItems([], {})).items).toEqual([]);
  await expect(ada.store.putItem(["notes"], "two", { kind: "secret" })).rejects.toEqual(refused(403));
});

describe("an assistant", () => {
  test("is read through the filter, and refused with the application's message", async () => {
    expect((await request("ada", "/assistants/told")).status).toBe(200);
    expect(await request("bob", "/assistants/told")).toMatchObject({ status: 404, text: "Assistant not found" });
    expect(await request("eve", "/assistants/told/graph")).toMatchObject({ status: 418, text: "No tea for eve" });
    expect((await request("mallory", "/assistants/told/schemas")).status).toBe(500);
    expect(await request("eve", "/assistants/search", {})).toMatchObject({ status: 403, text: "Forbidden" });
    expect(await as("ada").assistants.search()).toHaveLength(2);
  });
});

test("a request that ends the worker is 503, and later ones are served by the next worker", async () => {
  expect((await request("crash", "/assistants/told")).status).toBe(503);
  await expect.poll(async () => (await request("ada", "/assistants/told")).status, { timeout: 30_000 }).toBe(200);
});
