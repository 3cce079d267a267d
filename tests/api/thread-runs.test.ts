import { resolve } from "node:path";
import { Client } from "@langchain/langgraph-sdk";
import { beforeAll, describe, expect, test } from "vitest";
import { raw, rawStream } from "../support/raw.ts";
import { useServer } from "../support/use-server.ts";

const server = useServer({ app: resolve(import.meta.dirname, "apps/modes") });
let client: Client;
beforeAll(() => {
  client = new Client({ apiUrl: server.url, apiKey: null });
});

const unknown = "01234567-89ab-7def-8123-456789abcdef";
const say = (content: string) => ({ messages: [{ role: "user", content }] });
interface Values {
  messages: { type: string; content: string }[];
}
const contents = (values: unknown): string[] => (values as Values).messages.map((message) => message.content);
const newThread = async (): Promise<string> => (await client.threads.create()).thread_id;

/** Starts a run that goes on until it is cancelled; resolves after its first event. */
async function slowRun(threadId: string): Promise<string> {
  const run = await client.runs.create(threadId, "slow", { input: say("slow"), streamMode: "custom" });
  const stop = new AbortController();
  for await (const part of client.runs.joinStream(threadId, run.run_id, { lastEventId: "-1", signal: stop.signal })) {
    if (part.event === "custom") break;
  }
  stop.abort();
  return run.run_id;
}

/** Waits for the first values. A run that is cancelled before has no effect on its thread. */
async function untilValues(threadId: string, runId: string): Promise<void> {
  for await (const part of client.runs.joinStream(threadId, runId, { lastEventId: "-1" })) {
    if (part.event === "values") return;
  }
}

describe("runs of a thread", () => {
  test("are streamed, and on_run_created gets their thread and id", async () => {
    const thread = await newThread();
    const created: unknown[] = [];
    const events: string[] = [];
    const stream = client.runs.stream(thread, "chat", {
      input: say("hello"),
      streamMode: ["values", "updates"],
      onRunCreated: (run) => created.push(run),
    });
    for await (const part of stream) events.push(part.event);
    expect(events).toEqual(["metadata", "values", "updates", "values"]);
    expect(created).toMatchObject([{ thread_id: thread, run_id: expect.any(String) as string }]);
  });

  test("are listed newest first, read, and deleted", async () => {
    const thread = await newThread();
    for (const text of ["one", "two"]) await client.runs.wait(thread, "chat", { input: say(text) });
    const runs = await client.runs.list(thread);
    expect(
      runs.map((run) => (run as unknown as { kwargs: { input: Values } }).kwargs.input.messages[0]?.content),
    ).toEqual(["two", "one"]);
    expect(await client.runs.list(thread, { limit: 1, offset: 1 })).toEqual([runs[1]]);
    expect(await client.runs.list(thread, { status: "error" })).toEqual([]);
    const run = runs[0]?.run_id ?? "";
    expect(await client.runs.get(thread, run)).toEqual(runs[0]);
    await client.runs.delete(thread, run);
    await expect(client.runs.get(thread, run)).rejects.toThrow("HTTP 404: Run not found");
    await expect(client.runs.get(await newThread(), runs[1]?.run_id ?? "")).rejects.toThrow("HTTP 404: Run not found");
  });

  test("in the background end, and a join returns their values", async () => {
    const thread = await newThread();
    const run = await client.runs.create(thread, "chat", { input: say("hello") });
    expect(run).toMatchObject({ status: "pending", thread_id: thread });
    const values = await client.runs.join(thread, run.run_id);
    expect(contents(values)).toEqual(["hello", "Hi!"]);
    expect((await client.runs.get(thread, run.run_id)).status).toBe("success");
    expect(contents(await client.runs.join(thread, run.run_id))).toEqual(["hello", "Hi!"]);
  });

  test("an unknown thread is refused, or created with if_not_exists", async () => {
    await expect(client.runs.wait(unknown, "chat", { input: say("x") })).rejects.toThrow(
      `HTTP 404: Thread with ID ${unknown} not found`,
    );
    const thread = crypto.randomUUID();
    await client.runs.wait(thread, "chat", { input: say("x"), ifNotExists: "create" });
    expect((await client.threads.get(thread)).status).toBe("idle");
  });

  test("a thread with the state of another graph is refused", async () => {
    const thread = await newThread();
    await client.runs.wait(thread, "chat", { input: say("x") });
    await expect(client.runs.wait(thread, "steps", { input: { n: 1 } })).rejects.toThrow(
      'holds the state of graph "chat"',
    );
  });

  test("a failure is returned, and the thread has the status error", async () => {
    const thread = await newThread();
    const failed = await client.runs.wait(thread, "failing", { input: say("x") }).catch((error: unknown) => error);
    expect(String(failed)).toContain("kaput");
    expect(await client.threads.get(thread)).toMatchObject({ status: "error" });
    const answer = await raw(`${server.url}/threads/${thread}/runs/wait`, {
      body: JSON.stringify({ assistant_id: "failing", input: say("x") }),
    });
    expect(JSON.parse(answer.text)).toEqual({
      __error__: { error: "RangeError", message: "kaput", source: { file: "graphs.mjs", line: 39 } },
    });
  });

  test("end with their thread when it is deleted, also for their followers", async () => {
    const thread = await newThread();
    const run = await slowRun(thread);
    const waiting = await client.runs.create(thread, "slow", { input: say("slow"), streamMode: "custom" });
    const streams = [run, waiting.run_id].map((id) => rawStream(`${server.url}/threads/${thread}/runs/${id}/stream`));
    const followed = await Promise.all(streams);
    await client.threads.delete(thread);
    await Promise.all(followed.map((stream) => stream.end()));
    await expect(client.runs.get(thread, run)).rejects.toThrow("HTTP 404");
  });

  test.each(["sync", "async", "exit"] as const)(
    "that is cancelled leaves its thread with what its steps have done (%s)",
    async (durability) => {
      const thread = await newThread();
      const options = { input: say("first"), streamMode: "custom" as const, durability };
      for await (const { event } of client.runs.stream(thread, "halfway", options))
        if (event === "custom") await client.runs.cancelMany({ threadId: thread, status: "running" });
      const done = { messages: [{ content: "first" }, { content: "done" }] };
      expect((await client.threads.get(thread)).values).toMatchObject(done);
      expect((await client.threads.getState(thread)).values).toMatchObject(done);
    },
  );

  test("two are started by one batch", async () => {
    const runs = await client.runs.createBatch([
      { assistantId: "chat", input: say("a") },
      { assistantId: "chat", input: say("b") },
    ] as never);
    expect(runs).toHaveLength(2);
  });
});

describe("a second run during another one", () => {
  test("is refused by the strategy reject, and is not stored", async () => {
    const thread = await newThread();
    const run = await slowRun(thread);
    await expect(client.runs.create(thread, "slow", { input: say("x"), multitaskStrategy: "reject" })).rejects.toThrow(
      "HTTP 409: Thread is already running a task.",
    );
    expect(await client.runs.list(thread)).toHaveLength(1);
    await client.runs.cancel(thread, run, true);
  });

  test("waits by the strategy enqueue, in the order of creation", async () => {
    const thread = await newThread();
    const first = await slowRun(thread);
    const second = await client.runs.create(thread, "slow", { input: say("second") });
    const third = await client.runs.create(thread, "slow", { input: say("third") });
    expect((await client.runs.list(thread, { status: "pending" })).map((run) => run.run_id)).toEqual([
      third.run_id,
      second.run_id,
    ]);
    expect((await client.threads.get(thread)).status).toBe("busy");
    await client.runs.cancel(thread, third.run_id, true);
    await client.runs.cancel(thread, first, true);
    await client.runs.cancel(thread, second.run_id, true);
    expect((await client.runs.list(thread)).map((run) => run.status)).toEqual(Array(3).fill("interrupted"));
    expect((await client.threads.get(thread)).status).not.toBe("busy");
  });

  test("by the strategy interrupt stops the first and keeps its state", async () => {
    const thread = await newThread();
    const first = await slowRun(thread);
    const run = await client.runs.create(thread, "slow", { input: say("new"), multitaskStrategy: "interrupt" });
    await client.runs.join(thread, first);
    expect((await client.runs.get(thread, first)).status).toBe("interrupted");
    await untilValues(thread, run.run_id);
    await client.runs.cancel(thread, run.run_id, true);
    const { values } = await client.threads.getState(thread);
    expect(contents(values)).toEqual(["slow", "new"]);
  });

  test("by the strategy rollback stops the first and undoes its state", async () => {
    const thread = await newThread();
    await client.runs.wait(thread, "slow", { input: say("kept"), interruptBefore: ["node"] });
    const first = await slowRun(thread);
    const run = await client.runs.create(thread, "slow", { input: say("new"), multitaskStrategy: "rollback" });
    await untilValues(thread, run.run_id);
    await client.runs.cancel(thread, run.run_id, true);
    await expect(client.runs.get(thread, first)).rejects.toThrow("HTTP 404");
    const { values } = await client.threads.getState(thread);
    expect(contents(values)).toEqual(["kept", "new"]);
  });
});

describe("cancelling a run", () => {
  test("is 202 at once, or 204 after it has stopped; an ended run does not change", async () => {
    const thread = await newThread();
    const run = await slowRun(thread);
    const cancel = (query: string) =>
      raw(`${server.url}/threads/${thread}/runs/${run}/cancel?${query}`, { method: "POST" }).then(
        (answer) => answer.status,
      );
    expect(await cancel("wait=0")).toBe(202);
    expect(await cancel("wait=1")).toBe(204);
    expect((await client.runs.get(thread, run)).status).toBe("interrupted");
    expect(await cancel("wait=1&action=rollback")).toBe(204);
    expect((await client.runs.get(thread, run)).status).toBe("interrupted");
    await expect(client.runs.cancel(thread, unknown)).rejects.toThrow("HTTP 404: Run not found");
  });

  test("with rollback restores the thread's state before the run", async () => {
    const thread = await newThread();
    await client.runs.wait(thread, "slow", { input: say("kept"), interruptBefore: ["node"] });
    const before = await client.threads.getHistory(thread);
    const run = await slowRun(thread);
    await client.runs.cancel(thread, run, true, "rollback");
    await expect(client.runs.get(thread, run)).rejects.toThrow("HTTP 404");
    expect(await client.threads.getHistory(thread)).toEqual(before);
    expect((await client.threads.get(thread)).status).toBe("interrupted");
  });

  test("works for many at once, by thread and ids", async () => {
    const thread = await newThread();
    const run = await slowRun(thread);
    await client.runs.cancelMany({ threadId: thread, runIds: [run] });
    await client.runs.join(thread, run);
    expect((await client.runs.get(thread, run)).status).toBe("interrupted");
    const answer = await raw(`${server.url}/runs/cancel`, {
      body: JSON.stringify({ status: "all", thread_id: thread, run_ids: [run] }),
    });
    expect(answer.status).toBe(422);
    const none = await raw(`${server.url}/runs/cancel`, {
      body: JSON.stringify({ thread_id: thread, run_ids: [unknown] }),
    });
    expect([none.status, none.text]).toEqual([404, "Run not found"]);
  });
});

describe("a run without a thread and with onCompletion keep", () => {
  test("leaves a thread", async () => {
    const run = await client.runs.create(null, "chat", { input: say("hello"), onCompletion: "keep" } as never);
    expect(contents(await client.runs.join(run.thread_id, run.run_id))).toEqual(["hello", "Hi!"]);
    expect((await client.threads.get(run.thread_id)).status).toBe("idle");
  });
});
