/** `POST /runs/search` and `POST /runs/count` against the production server, and what the runs in every answer tell. */
import { randomUUID } from "node:crypto";
import { join, resolve } from "node:path";
import { Client } from "@langchain/langgraph-sdk";
import { describe, expect, test } from "vitest";
import type { Run } from "../../lib/protocol/runs.ts";
import { CLIENT_HEADER } from "../../lib/protocol/session.ts";
import { json, raw } from "../support/raw.ts";
import { useServer } from "../support/use-server.ts";

const KEY = "correct horse battery";
const input = { messages: [{ role: "user", content: "hello" }] };

interface Page {
  status: number;
  runs: Run[];
  cursor: string | undefined;
}

async function search(url: string, body: object, sent: Record<string, string> = {}): Promise<Page> {
  const answer = await raw(`${url}/runs/search`, { body: JSON.stringify(body), headers: sent });
  const { headers } = answer;
  const runs = answer.status === 200 ? json<Run[]>(answer) : [];
  return { status: answer.status, runs, cursor: headers["x-pagination-cursor"]?.toString() };
}

async function everyPage(url: string, body: object, headers: Record<string, string> = {}): Promise<Run[]> {
  const runs: Run[] = [];
  for (let cursor: string | undefined = ""; cursor !== undefined;) {
    const page: Page = await search(url, { ...body, cursor }, headers);
    expect(page.status).toBe(200);
    runs.push(...page.runs);
    ({ cursor } = page);
  }
  return runs;
}

describe("runs", () => {
  const server = useServer({ app: resolve(import.meta.dirname, "apps/modes") });
  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    raw(server.url + path, { body: JSON.stringify(body), headers });
  const count = async (body: object): Promise<number> => json<number>(await post("/runs/count", body));

  test("of all threads are found by mark, status, trigger, assistant and thread, newest first", async () => {
    const mark = randomUUID();
    const metadata = { mark };
    const thread = randomUUID();
    await post(`/threads/${thread}/runs/wait`, { assistant_id: "chat", input, metadata, if_not_exists: "create" });
    await post("/runs/wait", { assistant_id: "failing", input, metadata }, { [CLIENT_HEADER]: "studio" });
    await post("/runs/wait", { assistant_id: "chat", input, metadata }, { [CLIENT_HEADER]: "chat" });
    await post("/runs/wait", { assistant_id: "chat", input, metadata }, { [CLIENT_HEADER]: "cron" });
    const triggersOf = async (filter: object) =>
      (await search(server.url, { metadata, ...filter })).runs.map((run) => run.trigger);
    expect(await triggersOf({})).toEqual(["api", "chat", "studio", "api"]);
    expect(await triggersOf({ sort_order: "asc" })).toEqual(["api", "studio", "chat", "api"]);
    expect(await triggersOf({ status: "error" })).toEqual(["studio"]);
    expect(await triggersOf({ status: ["error", "timeout"], trigger: ["studio", "chat"] })).toEqual(["studio"]);
    expect(await triggersOf({ trigger: ["chat", "studio"] })).toEqual(["chat", "studio"]);
    expect(await triggersOf({ assistant_id: "failing" })).toEqual(["studio"]);
    expect(await triggersOf({ thread_id: thread.toUpperCase() })).toEqual(["api"]);
    expect(await triggersOf({ created_before: "2020-01-01T00:00:00Z" })).toEqual([]);
    expect(await count({ metadata })).toBe(4);
    expect(await count({ metadata, status: "success", assistant_id: "chat" })).toBe(3);
    const [only] = (await search(server.url, { metadata, limit: 1, select: ["run_id", "error"] })).runs;
    expect(Object.keys(only ?? {})).toEqual(["run_id", "error"]);
    const pages = await everyPage(server.url, { metadata, limit: 1 });
    expect(pages.map((run) => run.trigger)).toEqual(["api", "chat", "studio", "api"]);
  });

  test("tell when they began and ended, how often they were tried, and why they failed", async () => {
    const thread = randomUUID();
    const at = `/threads/${thread}/runs`;
    const body = { input, if_not_exists: "create", stream_mode: "messages-tuple" };
    const { text: pending } = await post(at, { ...body, assistant_id: "chat", after_seconds: 3_600 });
    expect(JSON.parse(pending)).toMatchObject({
      trigger: "api",
      started_at: null,
      ended_at: null,
      first_token_at: null,
      attempts: 0,
      error: null,
    });
    await post("/runs/cancel", { thread_id: thread, run_ids: [(JSON.parse(pending) as Run).run_id] });
    const [cancelled] = json<Run[]>(await raw(server.url + at));
    expect(cancelled).toMatchObject({ status: "interrupted", started_at: null, attempts: 0, error: null });
    expect(cancelled?.ended_at).not.toBeNull();
    const talk = `/threads/${randomUUID()}/runs`;
    await post(`${talk}/stream`, { ...body, assistant_id: "chat" });
    const [talked] = json<Run[]>(await raw(server.url + talk));
    const { created_at, started_at, first_token_at, ended_at } = talked as Required<Run>;
    expect([created_at, started_at, first_token_at, ended_at]).toEqual(
      [created_at, started_at, first_token_at, ended_at].toSorted(),
    );
    expect([started_at, first_token_at, ended_at]).not.toContain(null);
    expect(talked).toMatchObject({ attempts: 1, error: null, status: "success" });
    const failing = randomUUID();
    await post(`/threads/${failing}/runs/wait`, { assistant_id: "failing", input, if_not_exists: "create" });
    const [failed] = json<Run[]>(await raw(`${server.url}/threads/${failing}/runs`));
    expect(failed).toMatchObject({
      attempts: 1,
      first_token_at: null,
      error: { error: "RangeError", message: "kaput" },
    });
    const one = json<Run>(await raw(`${server.url}/threads/${failing}/runs/${failed?.run_id}`));
    expect(one).toEqual(failed);
  });

  test("of A2A are marked so", async () => {
    const message = { kind: "message", role: "user", messageId: "m", parts: [{ kind: "text", text: "hello" }] };
    const sent = await post("/a2a/chat", { jsonrpc: "2.0", id: 1, method: "message/send", params: { message } });
    const { result } = json<{ result: { id: string; contextId: string } }>(sent);
    const metadata = { a2a: { context_id: result.contextId } };
    const { runs } = await search(server.url, { trigger: "a2a", metadata });
    expect(runs.map((run) => run.run_id)).toEqual([result.id]);
  });

  test("are not found by what is no search, and the answer says why", async () => {
    const refusals: [object, string][] = [
      [{ cursor: "garbage" }, "cursor: expected a cursor as x-pagination-cursor has returned it"],
      [{ cursor: "x".repeat(501) }, "cursor: "],
      [{ cursor: 7 }, "cursor: "],
      [{ status: "sleeping" }, "status: "],
      [{ status: ["success", "sleeping"] }, "status: "],
      [{ trigger: Array.from({ length: 21 }, () => "api") }, "expected at most 20 items"],
      [{ thread_id: "one" }, "thread_id: "],
      [{ created_after: "yesterday" }, "created_after: expected a date and time in ISO-8601"],
      [{ metadata: [] }, "metadata: expected an object"],
      [{ limit: 1_001 }, "limit: "],
      [{ limit: 0 }, "limit: "],
      [{ select: ["kwarg"] }, "select"],
      [{ sort_order: "up" }, "sort_order: "],
    ];
    for (const [body, why] of refusals) {
      const answer = await post("/runs/search", body);
      expect({ body, status: answer.status, text: answer.text }).toMatchObject({
        body,
        status: 422,
        text: expect.stringContaining(why),
      });
    }
    await post("/runs/wait", { assistant_id: "chat", input });
    await post("/runs/wait", { assistant_id: "chat", input });
    const { cursor } = await search(server.url, { limit: 1 });
    const other = await post("/runs/search", { cursor, sort_order: "asc" });
    expect(other.status).toBe(422);
    expect(other.text).toContain("this cursor belongs to a list sorted by created_at desc, not by created_at asc");
  });
});

describe("open runs", () => {
  const server = useServer({ app: join(import.meta.dirname, "apps", "guarded"), env: { GRAPHLIB_API_KEY: KEY } });
  const as = (user: string): Client =>
    new Client({ apiUrl: server.url, apiKey: null, defaultHeaders: { authorization: `Bearer ${user}` } });
  const cancel = (user: string, body: object) =>
    raw(`${server.url}/runs/cancel`, { headers: { authorization: `Bearer ${user}` }, body: JSON.stringify(body) });

  test("of many threads are cancelled at once, and only those of threads that the caller sees", async () => {
    const begin = async (user: string) => {
      const { thread_id } = await as(user).threads.create();
      const runs = [0, 1].map(() => as(user).runs.create(thread_id, "told", { input: { wait: true } }));
      return { thread_id, runs: await Promise.all(runs) };
    };
    const [one, two, his] = [await begin("ada"), await begin("ada"), await begin("bob")];
    const idle = await as("ada").threads.create();
    const statuses = async (user: string, { thread_id }: { thread_id: string }) =>
      (await as(user).runs.list(thread_id)).map((run) => run.status);
    const thread_ids = [one, two, his, idle].map((thread) => thread.thread_id);
    expect((await cancel("ada", { thread_ids: [...thread_ids, randomUUID()] })).status).toBe(204);
    for (const thread of [one, two]) {
      await expect.poll(() => statuses("ada", thread)).toEqual(["interrupted", "interrupted"]);
    }
    expect(await statuses("bob", his)).not.toContain("interrupted");
    expect((await cancel("reader", { thread_ids: [his.thread_id] })).status).toBe(403);
    expect(await statuses("bob", his)).not.toContain("interrupted");
    expect((await cancel("bob", { thread_ids: [his.thread_id.toUpperCase()] })).status).toBe(204);
    await expect.poll(() => statuses("bob", his)).toEqual(["interrupted", "interrupted"]);
    expect((await cancel("bob", { thread_ids: [his.thread_id] })).status).toBe(204);
  });

  test.each([
    { thread_ids: [], status: "all" },
    { thread_ids: ["one"] },
    { thread_ids: Array.from({ length: 1_001 }, () => randomUUID()) },
    { run_ids: [] },
    {},
  ])("are not cancelled by what selects no runs, or in two ways", async (body) => {
    expect((await cancel("ada", body)).status).toBe(422);
  });
});

describe("runs of an application with authorization", () => {
  const server = useServer({ app: join(import.meta.dirname, "apps", "guarded"), env: { GRAPHLIB_API_KEY: KEY } });
  const bearer = (user: string) => ({ authorization: `Bearer ${user}` });
  const as = (user: string): Client => new Client({ apiUrl: server.url, apiKey: null, defaultHeaders: bearer(user) });
  const idsOf = async (user: string, body: object = {}): Promise<string[]> =>
    (await everyPage(server.url, { ...body, limit: 2 }, bearer(user))).map((run) => run.run_id);

  test("are found and counted only by those who see their threads, whatever they ask for", async () => {
    const [hers, his] = [`h-${randomUUID()}`, `s-${randomUUID()}`];
    const ownOf = async (user: string): Promise<{ thread: string; runs: string[] }> => {
      const { thread_id } = await as(user).threads.create();
      const runs: string[] = [];
      for (const thread of [thread_id, thread_id, null]) {
        // Metadata of the request must not make a run another user's.
        const metadata = { owner: user === hers ? his : hers, topic: "tea" };
        await as(user).runs.wait(thread as string, "told", { input: { wait: null }, metadata });
      }
      for (const run of (await search(server.url, {}, { "x-api-key": KEY })).runs.slice(0, 3)) runs.unshift(run.run_id);
      return { thread: thread_id, runs: runs.toReversed() };
    };
    const ada = await ownOf(hers);
    const bob = await ownOf(his);
    expect(await idsOf(hers)).toEqual(ada.runs);
    expect(await idsOf(his)).toEqual(bob.runs);
    expect(await idsOf(his, { thread_id: ada.thread })).toEqual([]);
    const statusOf = async (user: string, run: string) =>
      (await raw(`${server.url}/runs/${run}`, { headers: bearer(user) })).status;
    for (const run of ada.runs) expect([await statusOf(hers, run), await statusOf(his, run)]).toEqual([200, 404]);
    for (const filter of [
      { metadata: { owner: hers } },
      { metadata: { topic: "tea" } },
      { status: "success" },
      { trigger: "api" },
    ]) {
      const found = await idsOf(his, filter);
      expect(ada.runs.filter((run) => found.includes(run))).toEqual([]);
    }
    const { cursor } = await search(server.url, { limit: 1 }, bearer(hers));
    const stolen = await search(server.url, { limit: 1_000, cursor }, bearer(his));
    expect(ada.runs.filter((run) => stolen.runs.some(({ run_id }) => run_id === run))).toEqual([]);
    const counted = await raw(`${server.url}/runs/count`, {
      headers: bearer(his),
      body: JSON.stringify({ thread_id: ada.thread }),
    });
    expect(counted.text).toBe("0");
    const all = await raw(`${server.url}/runs/count`, { headers: bearer(his), body: "{}" });
    expect(all.text).toBe("3");
    const nobody = await raw(`${server.url}/runs/search`, { body: "{}" });
    expect(nobody).toMatchObject({ status: 401, text: "Who are you?" });
  });
});
