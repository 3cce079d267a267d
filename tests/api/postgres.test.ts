import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { Client } from "@langchain/langgraph-sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { queryPostgres, breakConnections, findPostgres } from "../support/postgres.ts";
import { rawStream } from "../support/raw.ts";
import { startServer, type TestServer } from "../support/server.ts";

const app = resolve(import.meta.dirname, "apps/modes");
const found = await findPostgres();
const url = found ?? "";

test("a server with an invalid DATABASE_URL names the expected form, and not its value", async () => {
  const started = startServer({ app, env: { DATABASE_URL: "mysql://somebody:s3cret@localhost/test" } });
  const refusal = await started.then(String, String);
  expect(refusal).toContain("DATABASE_URL: expected postgres://user:password@host:port/database");
  expect(refusal).not.toContain("s3cret");
});

test("a server that cannot reach its database names host and database, and not the password", async () => {
  const started = startServer({ app, env: { DATABASE_URL: "postgres://somebody:s3cret@127.0.0.1:1/test" } });
  const refusal = await started.then(String, String);
  expect(refusal).toContain("No connection to PostgreSQL at 127.0.0.1:1/test (DATABASE_URL)");
  expect(refusal).not.toContain("s3cret");
});

describe.skipIf(found === undefined)("a server with PostgreSQL", () => {
  const prefix = `graphlib_api_${process.pid}`;
  const env = { DATABASE_URL: url, DATABASE_SCHEMA: prefix };
  const homes: string[] = [];
  let server: TestServer;
  let client: Client;
  const start = async (): Promise<void> => {
    server = await startServer({ app, env });
    homes.push(server.home);
    client = new Client({ apiUrl: server.url, apiKey: null });
  };
  beforeAll(start);
  afterAll(async () => {
    await server.stop();
    await dropSchemas(prefix);
  });

  const say = (content: string) => ({ messages: [{ role: "user", content }] });

  test("keeps its runs and threads after SIGKILL, with another home", async () => {
    const { thread_id } = await client.threads.create({ metadata: { team: "blue" } });
    await client.runs.wait(thread_id, "ask", { input: say("go") });
    const body = JSON.stringify({ assistant_id: "slow", input: {}, stream_mode: "custom", stream_resumable: true });
    const headers = { "content-type": "application/json" };
    const answer = await rawStream(`${server.url}/runs/stream`, { method: "POST", headers, body });
    await answer.until((event) => event.data === '{"tick":3}');
    await server.crash();
    await start();
    const joined = await rawStream(`${server.url}${answer.headers["content-location"]}/stream`, {
      headers: { "last-event-id": "-1" },
    });
    await joined.until((event) => event.data === '{"tick":3}');
    expect(joined.text().startsWith(answer.text())).toBe(true);
    joined.leave();
    expect(await client.threads.search({ metadata: { team: "blue" } })).toMatchObject([
      { thread_id, status: "interrupted" },
    ]);
    const done = await client.runs.wait(thread_id, "ask", { command: { resume: "yes" } });
    expect(done).toMatchObject({ messages: [{ content: "go" }, { content: "yes" }] });
    for (const home of homes) expect(existsSync(join(home, "deployments/default/database.sqlite"))).toBe(false);
  });

  test("continues after all its connections broke, with the run under way", async () => {
    const run = (): Promise<unknown> => client.runs.wait(null, "chat", { input: say("hello") });
    await run();
    const { thread_id } = await client.threads.create();
    const stream = client.runs.stream(thread_id, "slow", { input: say("hello"), streamMode: "custom" });
    const ticks: unknown[] = [];
    for await (const part of stream) {
      if (part.event !== "custom") continue;
      ticks.push(part.data);
      if (ticks.length === 3) expect(await breakConnections(url, prefix)).toBeGreaterThan(0);
      if (ticks.length === 30) break;
    }
    expect(ticks).toEqual(ticks.map((_, tick) => ({ tick })));
    expect(await run()).toMatchObject({ messages: [{ content: "hello" }, { content: "Hi!" }] });
  });

  test("stores any text that JSON can hold, and finds it again", async () => {
    const odd = { key: 'nul \0, half \ud800, quote ", backslash \\u0000, 😀', "\0": { "\udc00": [1, { "\0": null }] } };
    const { thread_id } = await client.threads.create({ metadata: odd });
    const found = await client.threads.search({ metadata: odd });
    expect(found.map((thread) => thread.thread_id)).toEqual([thread_id]);
    expect(found[0]?.metadata).toEqual(odd);
    await expect(client.assistants.search({ name: "\0" })).rejects.toThrow("without null characters");
  });

  test("is the only one with its schema", async () => {
    const other = await startServer({ app, env }).then(String, String);
    expect(other).toContain(`Schema ${prefix}_platform is in use by another Graphlib server`);
    expect((await fetch(`${server.url}/ok`)).status).toBe(200);
  });
});

describe.skipIf(found === undefined)("a graph that reads the store", () => {
  const prefix = `graphlib_reads_${process.pid}`;
  let server: TestServer;
  beforeAll(async () => {
    const env = { DATABASE_URL: url, DATABASE_SCHEMA: prefix };
    server = await startServer({ app: resolve(import.meta.dirname, "apps/reads"), env });
  });
  afterAll(async () => {
    await server.stop();
    await dropSchemas(prefix);
  });

  test("does not notice that all connections break, again and again", async () => {
    const client = new Client({ apiUrl: server.url, apiKey: null });
    const parts: unknown[] = [];
    for await (const { event, data } of client.runs.stream(null, "reads", {
      input: {},
      streamMode: ["custom", "updates"],
    })) {
      parts.push({ event, data });
      if (event !== "custom") continue;
      for (let n = 0; n < 20; n++) await breakConnections(url, prefix);
      await client.store.putItem(["reads"], "stop", {});
    }
    expect(parts.slice(-2)).toEqual([
      { event: "custom", data: "reading" },
      { event: "updates", data: { read: { reads: expect.any(Number) } } },
    ]);
  });
});

async function dropSchemas(prefix: string): Promise<void> {
  for (const name of ["default", "platform"])
    await queryPostgres(url, `drop schema if exists "${prefix}_${name}" cascade`);
}
