import { resolve } from "node:path";
import { Client } from "@langchain/langgraph-sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { json, raw } from "../support/raw.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { idOf, makeOverdue, waitFor } from "./overdue-crons.ts";

const app = resolve(import.meta.dirname, "apps/modes");
let server: TestServer;
let client: Client;
const connect = (): Client => new Client({ apiUrl: server.url, apiKey: null });
beforeAll(async () => {
  server = await startServer({ app });
  client = connect();
});
afterAll(() => server.stop());

const unknown = "01234567-89ab-7def-8123-456789abcdef";
const say = (content: string) => ({ messages: [{ role: "user", content }] });
const yearly = { schedule: "0 0 1 1 *" };

describe("a cron", () => {
  test("is run now besides its schedule, also while it is paused, and its runs are found by it", async () => {
    const cron = await client.crons.create("chat", { ...yearly, input: say("hello"), metadata: { team: "red" } });
    const id = idOf(cron);
    const now = () => raw(`${server.url}/runs/crons/${id}/run`, { method: "POST" });
    const runs = [json<{ run_id: string }>(await now())];
    expect(runs[0]).toMatchObject({ status: "pending", trigger: "cron", metadata: { cron_id: id, team: "red" } });
    const paused = await client.crons.update(id, { enabled: false });
    expect(paused).toMatchObject({ enabled: false, next_run_date: null });
    runs.unshift(json(await now()));
    expect(await client.crons.search({ metadata: { team: "red" } })).toEqual([paused]);
    const again = await client.crons.update(id, { enabled: true });
    const { next_run_date } = cron as unknown as { next_run_date: string };
    expect(again).toMatchObject({ enabled: true, next_run_date });
    const body = JSON.stringify({ trigger: "cron", metadata: { cron_id: id }, select: ["run_id", "status"] });
    const ended = runs.map(({ run_id }) => ({ run_id, status: "success" }));
    await expect.poll(async () => json(await raw(`${server.url}/runs/search`, { body }))).toEqual(ended);
    await client.crons.delete(id);
    expect((await now()).status).toBe(404);
    expect((await raw(`${server.url}/runs/crons/none/run`, { method: "POST" })).status).toBe(404);
  });

  test("is created, found, counted, updated and deleted", async () => {
    const metadata = { team: "blue" };
    const cron = await client.crons.create("chat", {
      schedule: "30 9 * * 1-5",
      timezone: "Europe/Berlin",
      input: say("hello"),
      metadata,
      endTime: "2999-01-01T00:00:00Z",
      streamMode: ["updates"],
      onRunCompleted: "keep",
    });
    expect(cron).toMatchObject({
      assistant_id: (await client.assistants.search({ graphId: "chat" }))[0]?.assistant_id,
      thread_id: null,
      schedule: "30 9 * * 1-5",
      timezone: "Europe/Berlin",
      end_time: "2999-01-01T00:00:00.000Z",
      enabled: true,
      on_run_completed: "keep",
      payload: { input: say("hello"), stream_mode: ["updates"] },
      metadata,
      user_id: null,
      next_run_date: expect.stringMatching(/T0[78]:30:00\.000Z$/) as string,
    });
    const id = idOf(cron);
    expect(await client.crons.search({ metadata })).toEqual([cron]);
    expect(await client.crons.search({ metadata, enabled: false })).toEqual([]);
    expect(await client.crons.count({ assistantId: "chat", metadata })).toBe(1);
    expect(await client.crons.count({ threadId: unknown })).toBe(0);
    expect(await client.crons.search({ metadata, select: ["cron_id", "schedule"] })).toEqual([
      { cron_id: id, schedule: "30 9 * * 1-5" },
    ]);
    const off = await client.crons.update(id, { enabled: false, endTime: null, input: say("changed") });
    expect(off).toMatchObject({
      enabled: false,
      end_time: null,
      next_run_date: null,
      payload: { input: say("changed"), stream_mode: ["updates"] },
      timezone: "Europe/Berlin",
    });
    expect(await client.crons.search({ metadata, enabled: false })).toEqual([off]);
    await client.crons.delete(id);
    expect(await client.crons.count({ metadata })).toBe(0);
    await expect(client.crons.delete(id)).rejects.toThrow("HTTP 404: Cron not found");
    await expect(client.crons.update(id, { enabled: true })).rejects.toThrow("HTTP 404: Cron not found");
  });

  test("is found page by page, with the number of all", async () => {
    const metadata = { paged: true };
    for (let n = 0; n < 3; n++) await client.crons.create("chat", { ...yearly, metadata });
    const answer = await raw(`${server.url}/runs/crons/search`, { body: JSON.stringify({ metadata, limit: 2 }) });
    expect(json<unknown[]>(answer)).toHaveLength(2);
    expect(answer.headers).toMatchObject({ "x-pagination-total": "3", "x-pagination-next": "2" });
  });

  test("of a thread is deleted with it", async () => {
    const { thread_id } = await client.threads.create();
    const cron = await client.crons.createForThread(thread_id, "chat", yearly);
    expect(cron).toMatchObject({ thread_id });
    expect(await client.crons.search({ threadId: thread_id })).toEqual([cron]);
    await client.threads.delete(thread_id);
    expect(await client.crons.count({ threadId: thread_id })).toBe(0);
  });

  test.each([
    ["schedule", { schedule: "* * * *" }, "expected five fields"],
    ["schedule", { schedule: "61 * * * *" }, "61"],
    ["schedule", { schedule: "0 0 30 2 *" }, "no such day ever comes"],
    ["schedule", { schedule: 7 }, "expected string"],
    ["timezone", { timezone: "Mars/Olympus" }, "expected the IANA name of a time zone"],
    ["end_time", { end_time: "soon" }, "expected a date and time in ISO-8601"],
    ["enabled", { enabled: "yes" }, "expected boolean"],
    ["on_run_completed", { on_run_completed: "perhaps" }, "delete"],
    ["webhook", { webhook: "http://10.0.0.1/" }, "expected a public host"],
    ["stream_mode", { stream_mode: "value" }, "values"],
  ])(
    "with a wrong %s (%j) is refused with the expected value, in a create and an update",
    async (path, wrong, message) => {
      const issue = { path, message: expect.stringContaining(message) as string };
      const { cron_id } = await client.crons.create("chat", yearly).then((cron) => ({ cron_id: idOf(cron) }));
      const create = await raw(`${server.url}/runs/crons`, {
        body: JSON.stringify({ assistant_id: "chat", ...yearly, ...wrong }),
      });
      const update = await raw(`${server.url}/runs/crons/${cron_id}`, { method: "PATCH", body: JSON.stringify(wrong) });
      for (const answer of [create, update]) {
        expect(answer.status).toBe(422);
        expect(json(answer)).toMatchObject({ issues: [issue] });
      }
    },
  );

  test("for an unknown assistant or thread is refused", async () => {
    await expect(client.crons.create("nobody", yearly)).rejects.toThrow('HTTP 404: No assistant found for "nobody"');
    await expect(client.crons.createForThread(unknown, "chat", yearly)).rejects.toThrow(
      `HTTP 404: Thread with ID ${unknown} not found`,
    );
    expect((await raw(`${server.url}/runs/crons`, { body: "{}" })).status).toBe(422);
    expect((await raw(`${server.url}/threads/x/runs/crons`, { body: JSON.stringify(yearly) })).status).toBe(422);
  });
});

test("crons survive a killed server, and run once for all the times that they missed", async () => {
  const { thread_id } = await client.threads.create();
  const input = say("hello");
  const onThread = idOf(await client.crons.createForThread(thread_id, "chat", { ...yearly, input }));
  const kept = idOf(await client.crons.create("chat", { ...yearly, input, onRunCompleted: "keep" }));
  const gone = idOf(await client.crons.create("chat", { ...yearly, input }));
  await server.crash();
  makeOverdue(server.home, [onThread, kept, gone]);
  server = await startServer({ app, home: server.home });
  client = connect();

  const [run] = await waitFor(async () => {
    const runs = await client.runs.list(thread_id);
    return runs.length > 0 ? runs : undefined;
  });
  expect(run?.metadata).toMatchObject({ cron_id: onThread });
  const values = await client.runs.join(thread_id, run?.run_id ?? "");
  expect(values).toMatchObject({ messages: [{ content: "hello" }, { content: "Hi!" }] });

  const threadsOf = (cron_id: string) => client.threads.search({ metadata: { cron_id } });
  const [thread] = await waitFor(async () => {
    const threads = await threadsOf(kept);
    return threads[0]?.status === "idle" ? threads : undefined;
  });
  expect(thread?.values).toMatchObject({ messages: [{ content: "hello" }, { content: "Hi!" }] });
  await waitFor(async () => ((await threadsOf(gone)).length === 0 ? true : undefined));

  expect(await client.runs.list(thread_id)).toHaveLength(1);
  expect(await threadsOf(kept)).toHaveLength(1);
  for (const cron of await client.crons.search({ limit: 100, metadata: {} })) {
    expect(Date.parse(cron.next_run_date ?? "")).toBeGreaterThan(Date.now());
  }
});
