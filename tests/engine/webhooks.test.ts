import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { cancelRun } from "../../lib/engine/runs/cancel.ts";
import { endRun } from "../../lib/engine/runs/ending.ts";
import type { RunOutcome } from "../../lib/engine/ports/run-end.ts";
import { startRun } from "../../lib/engine/runs/runs.ts";
import { keepLastValues } from "../../lib/engine/runs/last-values.ts";
import type { WebhookMessage } from "../../lib/engine/ports/webhooks.ts";
import { createWebhookLoop } from "../../lib/engine/webhooks.ts";
import type { JsonObject } from "../../lib/protocol/json.ts";
import { RunCreate } from "../../lib/protocol/runs.ts";
import type { PostResult } from "../../lib/rules/webhooks/webhook.ts";
import { newRun } from "../drivers/runs.suite.ts";
import { serveForTest, type ServedForTest } from "./served.ts";

let served: ServedForTest;
let messages: WebhookMessage[];
let answers: PostResult[];
beforeEach(async () => {
  messages = [];
  answers = [];
  served = await serveForTest({
    outgoing: {
      problem: (url) => (url.includes("private") ? "expected a public host" : undefined),
      post(message) {
        messages.push(message);
        return Promise.resolve(answers.shift() ?? { was: "answered", status: 200 });
      },
    },
  });
});
afterEach(() => served.close());

const url = "https://example.com/hook";
const start = (changes: object = {}) =>
  startRun(served.platform, served.deployment, RunCreate.parse({ assistant_id: "agent", webhook: url, ...changes }));
const begin = () => served.deployment.log.claim(10, () => ({ event: "metadata", data: "{}" }));
async function runToEnd(outcome: RunOutcome, changes: object = {}): Promise<string> {
  const { run_id } = await start(changes);
  const run = (await begin()).find((one) => one.run_id === run_id);
  served.clock.time += 500;
  if (run) await endRun(served.deployment, run, outcome);
  return run_id;
}
async function deliver(): Promise<void> {
  const loop = createWebhookLoop(served.platform, served.deployment);
  loop.wake();
  await loop.idle();
  await loop.stop();
}
const bodies = () => messages.map((message) => JSON.parse(message.body) as JsonObject);
const iso = (ms: number): string => new Date(ms).toISOString();

describe("the webhook of a run", () => {
  test("is delivered once, after the end, with the run and its result", async () => {
    const began = served.clock.time;
    const run_id = await runToEnd({ status: "success", values: '{"messages":["hi"]}' }, { metadata: { a: 1 } });
    served.clock.time += 250;
    await deliver();
    await deliver();
    expect(messages).toMatchObject([{ id: run_id, url, at: began + 750 }]);
    expect(bodies()).toMatchObject([
      {
        run_id,
        status: "success",
        values: { messages: ["hi"] },
        metadata: { a: 1 },
        kwargs: { webhook: url },
        run_started_at: iso(began),
        run_ended_at: iso(began + 500),
        webhook_sent_at: iso(began + 750),
      },
    ]);
    expect(bodies()[0]).not.toHaveProperty("error");
  });

  test("reports failures, and runs that were cancelled before they began", async () => {
    const error = { error: "RangeError", message: "kaput" };
    await runToEnd({ status: "error", error });
    const { run_id } = await start();
    await cancelRun(served.deployment, run_id);
    await deliver();
    expect(bodies()).toMatchObject([
      { status: "error", error: "kaput", values: null },
      { status: "interrupted", run_started_at: null },
    ]);
  });

  test("has the thread's values, also when the run's end could not be read", async () => {
    const thread = { values: '{"n":1}', next: [], interrupts: {} };
    await runToEnd({ status: "success", thread }, { on_completion: "keep" });
    const { thread_id } = bodies()[0] ?? (await deliver(), bodies()[0]) ?? {};
    const create = RunCreate.parse({ assistant_id: "agent", webhook: url });
    await startRun(served.platform, served.deployment, create, { threadId: String(thread_id) });
    const [run] = await begin();
    if (run) await endRun(served.deployment, run, { status: "error" });
    await deliver();
    expect(bodies().map((body) => body.values)).toEqual([{ n: 1 }, { n: 1 }]);
  });

  test("that is not allowed is refused before anything is stored", async () => {
    await expect(start({ webhook: "https://private.example" })).rejects.toMatchObject({
      code: "invalid",
      issues: [{ path: "webhook" }],
    });
    expect(await served.deployment.runs.list(["pending"])).toEqual([]);
  });
});

describe("a delivery", () => {
  test("is repeated when it is due, by any server, until it succeeds", async () => {
    answers = [
      { was: "lost", why: "ECONNREFUSED" },
      { was: "answered", status: 503 },
      { was: "answered", status: 202 },
    ];
    await runToEnd({ status: "success" });
    await deliver();
    await deliver();
    expect(messages).toHaveLength(1);
    served.clock.time += 5_000;
    await deliver();
    expect(messages).toHaveLength(2);
    served.clock.time += 29_999;
    await deliver();
    expect(messages).toHaveLength(2);
    served.clock.time += 1;
    await deliver();
    expect(messages).toHaveLength(3);
    expect(new Set(messages.map((message) => message.id)).size).toBe(1);
    expect(await served.deployment.webhooks.nextDue()).toBeUndefined();
    expect(served.logged).toEqual([]);
  });

  test("is given up after eight attempts, or at once for a forbidden address, and the log says so", async () => {
    answers = Array.from({ length: 8 }, (): PostResult => ({ was: "answered", status: 500 }));
    const run_id = await runToEnd({ status: "success" });
    for (let n = 0; n < 20; n++) {
      await deliver();
      served.clock.time += 24 * 3_600_000;
    }
    expect(messages).toHaveLength(8);
    answers = [{ was: "refused", why: "not a public host" }];
    await runToEnd({ status: "success" });
    await deliver();
    expect(messages).toHaveLength(9);
    expect(served.logged).toEqual([
      `webhook of run ${run_id} is given up: answered 500`,
      expect.stringContaining("not a public host"),
    ]);
  });

  test("of many is made in parallel, each once, also with several servers", async () => {
    for (let n = 0; n < 50; n++) await runToEnd({ status: "success" });
    await Promise.all([deliver(), deliver(), deliver()]);
    expect(new Set(messages.map((message) => message.id)).size).toBe(50);
    expect(messages).toHaveLength(50);
  });
});

test("values are streamed for the webhook, and go into the log only if they were requested", () => {
  const events = ["metadata", "values", "values|sub", "updates", "values"].map((event, n) => ({ event, data: `${n}` }));
  const keep = (stream_mode: ("values" | "updates")[], webhook: string | null, threaded = false) => {
    const run = newRun();
    const kept = keepLastValues({ threaded, kwargs: { ...run.kwargs, stream_mode, webhook } });
    return [kept.modes, kept.filter(events).map(({ event }) => event), kept.last()];
  };
  const all = events.map(({ event }) => event);
  expect(keep(["updates"], url)).toEqual([["updates", "values"], ["metadata", "updates"], "4"]);
  expect(keep(["values"], url)).toEqual([["values"], all, "4"]);
  expect(keep(["updates"], null)).toEqual([["updates"], all, undefined]);
  expect(keep(["updates"], url, true)).toEqual([["updates"], all, undefined]);
});
