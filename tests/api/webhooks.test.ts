import { createHmac } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { resolve } from "node:path";
import Sqlite from "better-sqlite3";
import { Client } from "@langchain/langgraph-sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../lib/protocol/json.ts";
import { json, raw } from "../support/raw.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { waitFor } from "./overdue-crons.ts";

const app = resolve(import.meta.dirname, "apps/modes");
const secret = "a secret of the operator";
const env = { GRAPHLIB_ALLOW_PRIVATE_WEBHOOKS: "true", GRAPHLIB_WEBHOOK_SECRET: secret };

interface Delivery {
  headers: IncomingHttpHeaders;
  body: JsonObject;
  text: string;
}
const deliveries: Delivery[] = [];
const waiting: ((delivery: Delivery) => void)[] = [];
let status = 200;
let receiver: Server;
let url: string;
let server: TestServer;
let client: Client;
const connect = (): Client => new Client({ apiUrl: server.url, apiKey: null });
beforeAll(async () => {
  receiver = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8").on("data", (part: string) => (text += part));
    request.once("end", () => {
      response.writeHead(status).end();
      const delivery = { headers: request.headers, body: JSON.parse(text) as JsonObject, text };
      const first = waiting.shift();
      if (first) first(delivery);
      else deliveries.push(delivery);
    });
  });
  await new Promise<void>((listening) => receiver.listen(0, "127.0.0.1", listening));
  url = `http://localhost:${(receiver.address() as AddressInfo).port}/hook`;
  server = await startServer({ app, env });
  client = connect();
});
afterAll(async () => {
  await server.stop();
  receiver.closeAllConnections();
  receiver.close();
});

/** Resolves with the next delivery, past or future. */
function nextDelivery(): Promise<Delivery> {
  const first = deliveries.shift();
  return first ? Promise.resolve(first) : new Promise((deliver) => waiting.push(deliver));
}
const say = (content: string) => ({ messages: [{ role: "user", content }] });
const answer = { messages: [{ content: "hello" }, { content: "Hi!" }] };

describe("a webhook", () => {
  test("of a run without a thread receives the run, its end and its values, signed", async () => {
    const run = await client.runs.create(null, "chat", { input: say("hello"), webhook: url, metadata: { a: 1 } });
    const { headers, body, text } = await nextDelivery();
    expect(body).toMatchObject({
      run_id: run.run_id,
      thread_id: run.thread_id,
      assistant_id: run.assistant_id,
      status: "success",
      metadata: { a: 1 },
      kwargs: { webhook: url },
      values: answer,
    });
    const times = ["created_at", "run_started_at", "run_ended_at", "webhook_sent_at"].map((name) =>
      Date.parse(String(body[name])),
    );
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(headers["content-type"]).toBe("application/json");
    const signed = `${run.run_id}.${String(headers["webhook-timestamp"])}.${text}`;
    expect(headers["webhook-signature"]).toBe(`v1,${createHmac("sha256", secret).update(signed).digest("base64")}`);
  });

  test("receives values that the stream does not have", async () => {
    const events: string[] = [];
    for await (const part of client.runs.stream(null, "chat", {
      input: say("hello"),
      streamMode: "updates",
      webhook: url,
    })) {
      events.push(part.event);
    }
    expect(events).toEqual(["metadata", "updates"]);
    expect((await nextDelivery()).body.values).toMatchObject(answer);
  });

  test("of a run on a thread receives the thread's values", async () => {
    const { thread_id } = await client.threads.create();
    await client.runs.create(thread_id, "chat", { input: say("hello"), streamMode: "updates", webhook: url });
    expect((await nextDelivery()).body).toMatchObject({ thread_id, status: "success", values: answer });
  });

  test("receives a failure with its message", async () => {
    await client.runs.wait(null, "failing", { input: say("x"), webhook: url }).catch(() => undefined);
    expect((await nextDelivery()).body).toMatchObject({ status: "error", error: "kaput" });
  });

  test.each([undefined, "correct horse battery"])(
    "that is a path leads to this server, also with a key (%s)",
    async (apiKey) => {
      const keyed = apiKey === undefined ? server : await startServer({ app, env: { GRAPHLIB_API_KEY: apiKey } });
      const own = new Client({ apiUrl: keyed.url, apiKey: apiKey ?? null });
      try {
        const request = { input: say("hello"), webhook: "/threads", metadata: { b: 2 } };
        const run = await own.runs.create(null, "chat", request);
        const made = await waitFor(async () => (await own.threads.search({ metadata: { b: 2 } }))[0]);
        expect(made.thread_id).toBe(run.thread_id);
      } finally {
        if (keyed !== server) await keyed.stop();
      }
    },
  );

  test.each(["hook", "ftp://example.com", "//example.com", "http://user:word@example.com", "/../x", 7])(
    "%j is refused, and no run is started",
    async (webhook) => {
      const refused = await raw(`${server.url}/runs`, { body: JSON.stringify({ assistant_id: "chat", webhook }) });
      expect(refused.status).toBe(422);
      expect(json(refused)).toMatchObject({ issues: [{ path: "webhook" }] });
    },
  );
});

test("a delivery that failed survives a killed server, and does not affect its run", async () => {
  status = 500;
  const { thread_id } = await client.threads.create();
  const run = await client.runs.create(thread_id, "chat", { input: say("hello"), webhook: url });
  const first = await nextDelivery();
  expect((await client.runs.get(thread_id, run.run_id)).status).toBe("success");
  await server.crash();
  status = 200;
  const database = new Sqlite(`${server.home}/deployments/default/database.sqlite`);
  expect(database.prepare("update webhooks set due = 0").run().changes).toBe(1);
  database.close();
  server = await startServer({ app, env, home: server.home });
  client = connect();
  const second = await nextDelivery();
  expect(second.body).toMatchObject({ run_id: run.run_id, run_ended_at: first.body.run_ended_at });
  expect(second.headers["webhook-id"]).toBe(first.headers["webhook-id"]);
});

test("without GRAPHLIB_ALLOW_PRIVATE_WEBHOOKS, hosts that are not public are refused", async () => {
  const guarded = await startServer({ app });
  try {
    for (const webhook of [url, "http://127.0.0.1:1/", "http://[::ffff:10.0.0.1]/", "http://169.254.169.254/latest"]) {
      const refused = await raw(`${guarded.url}/runs`, { body: JSON.stringify({ assistant_id: "chat", webhook }) });
      expect([refused.status, json(refused)]).toMatchObject([422, { issues: [{ path: "webhook" }] }]);
    }
  } finally {
    await guarded.stop();
  }
});
