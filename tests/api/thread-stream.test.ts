/** Tests the thread streaming protocol with the official client against a started server. */
import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import { Client } from "@langchain/langgraph-sdk";
import { beforeAll, describe, expect, test } from "vitest";
import { startServer } from "../support/server.ts";
import { useServer } from "../support/use-server.ts";
import { commandOf, type Envelope, readEvents, nthRunCompleted, runIs } from "./thread-events.ts";

const app = resolve(import.meta.dirname, "apps/modes");
const server = useServer({ app });
let client: Client;
beforeAll(() => {
  client = new Client({ apiUrl: server.url, apiKey: null });
});

const hello = { messages: [{ role: "user", content: "hello", id: "u1" }] };
const all = ["values", "updates", "messages", "tools", "lifecycle", "input", "checkpoints", "tasks", "custom"];
const command = (threadId: string, method: string, params: object = {}, url = server.url) =>
  commandOf(url, threadId, method, params);
const eventsUntil = (threadId: string, request: object, until: (one: Envelope) => boolean, url = server.url) =>
  readEvents(url, threadId, request, until);

describe("the official client", () => {
  test("starts a run on a new thread, and receives tokens, values and the end", async () => {
    const thread = client.threads.stream({ assistantId: "chat" });
    const { messages } = thread;
    const { run_id } = await thread.run.start({ input: hello });
    const texts: string[] = [];
    for await (const message of messages) texts.push(await message.text);
    expect(texts).toEqual(["Hi!"]);
    expect(await thread.output).toMatchObject({ messages: [{ content: "hello" }, { content: "Hi!" }] });
    await thread.close();
    expect(await client.runs.get(thread.threadId, run_id ?? "")).toMatchObject({ status: "success" });
    expect(await client.threads.get(thread.threadId)).toMatchObject({
      status: "idle",
      metadata: { graph_id: "chat" },
      values: { messages: [{ content: "hello" }, { content: "Hi!" }] },
    });
  });

  test("continues the same thread, run after run", async () => {
    const thread = client.threads.stream({ assistantId: "chat" });
    for (const turn of [1, 2, 3]) {
      await thread.run.start({ input: { messages: [{ role: "user", content: `turn ${turn}` }] } });
      const ended = nthRunCompleted(turn);
      // The stream starts with the first run.
      for await (const event of await thread.subscribe(["lifecycle"])) if (ended(event)) break;
    }
    const { values } = await client.threads.getState(thread.threadId);
    expect((values as { messages: unknown[] }).messages).toHaveLength(6);
    await thread.close();
  });

  test("answers an interrupt, and the run continues", async () => {
    const thread = client.threads.stream({ assistantId: "ask" });
    await thread.run.start({ input: hello });
    await thread.output;
    expect(thread.interrupted).toBe(true);
    const [interrupt] = thread.interrupts;
    expect(interrupt?.payload).toEqual({ q: "ok?" });
    expect(await client.threads.get(thread.threadId)).toMatchObject({ status: "interrupted" });
    await thread.input.respond({
      namespace: interrupt?.namespace ?? [],
      interrupt_id: interrupt?.interruptId ?? "",
      response: "yes",
    });
    const ends = await thread.subscribe(["lifecycle"]);
    for await (const event of ends) if (runIs("completed")(event)) break;
    const { values } = await client.threads.getState(thread.threadId);
    expect((values as { messages: { content: string }[] }).messages.at(-1)?.content).toBe("yes");
    await thread.close();
  });

  test("finds subgraphs, reads the state and the tree", async () => {
    const thread = client.threads.stream({ assistantId: "family" });
    const { subgraphs } = thread;
    await thread.run.start({ input: hello });
    const names: string[] = [];
    for await (const { name } of subgraphs) names.push(name);
    expect(names).toContain("child");
    const state = await thread.state.get({ namespace: [], keys: ["messages"] });
    expect(state).toMatchObject({ values: { messages: [{}, { content: "Hi!" }] }, checkpoint: { ns: "" } });
    expect(await thread.agent.getTree()).toMatchObject({
      tree: {
        namespace: [],
        status: "completed",
        graph_name: "family",
        children: [{ status: "completed", graph_name: "child", children: [{ graph_name: "model" }, {}] }],
      },
    });
    await thread.close();
  });
});

describe("events", () => {
  test("are the same at every replay, over all runs, in growing numbers", async () => {
    const threadId = randomUUID();
    const live = eventsUntil(threadId, { channels: all }, nthRunCompleted(3));
    for (const turn of [1, 2, 3]) {
      const input = { messages: [{ role: "user", content: `turn ${turn}` }] };
      await command(threadId, "run.start", { assistant_id: "chat", input });
    }
    const first = await live;
    const again = await eventsUntil(threadId, { channels: all }, nthRunCompleted(3));
    expect(again.map(({ envelope }) => envelope)).toEqual(first.map(({ envelope }) => envelope));
    const seqs = first.map(({ envelope }) => envelope.seq);
    expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
    expect(new Set(seqs).size).toBe(seqs.length);
    expect(new Set(first.map(({ id }) => id)).size).toBe(first.length);
    for (const { event, id, envelope } of first) {
      expect([event, id]).toEqual([envelope.method, envelope.event_id]);
    }
    const since = first[Math.floor(first.length / 2)]?.envelope.seq ?? 0;
    const last = first.at(-1)?.envelope.seq;
    const rest = await eventsUntil(threadId, { channels: all, since }, ({ seq }) => seq === last);
    expect(rest.map(({ envelope }) => envelope)).toEqual(
      first.map(({ envelope }) => envelope).filter(({ seq }) => seq > since),
    );
  });

  test("are the same for all readers, whenever they join", async () => {
    const threadId = randomUUID();
    const follow = () => {
      const { promise: joined, resolve: join } = Promise.withResolvers<void>();
      const isLast = nthRunCompleted(2);
      const whole = eventsUntil(threadId, { channels: all }, (one) => {
        join();
        return isLast(one);
      });
      return { joined, whole };
    };
    const followers = [follow()];
    for (const _ of [1, 2]) {
      await command(threadId, "run.start", { assistant_id: "tokens", input: hello });
      for (let n = 0; n < 10; n++) {
        const follower = follow();
        followers.push(follower);
        await follower.joined;
      }
    }
    const [first, ...others] = await Promise.all(followers.map(({ whole }) => whole));
    expect(first?.length).toBeGreaterThan(200);
    for (const other of others) expect(other).toEqual(first);
  });

  test("are selected by channel, namespace and depth", async () => {
    const threadId = randomUUID();
    await command(threadId, "run.start", { assistant_id: "family", input: hello });
    const whole = (await eventsUntil(threadId, { channels: all }, runIs("completed"))).map(({ envelope }) => envelope);
    const below = await eventsUntil(
      threadId,
      { channels: ["values", "lifecycle"], namespaces: [[]], depth: 0 },
      runIs("completed"),
    );
    expect(below.map(({ envelope }) => envelope)).toEqual(
      whole.filter(({ method, params }) => /values|lifecycle/.test(method) && params.namespace.length === 0),
    );
    const child = whole.filter(
      ({ method, params }) => method === "messages" && params.namespace[0]?.startsWith("child:"),
    );
    expect(child.length).toBeGreaterThan(4);
    const selected = await eventsUntil(
      threadId,
      { channels: ["messages"], namespaces: [["child"]] },
      (one) => one.seq === child.at(-1)?.seq,
    );
    expect(selected.map(({ envelope }) => envelope)).toEqual(child);
  });

  test("are the same after the server was killed, and an interrupt can still be answered", async () => {
    const mine = await startServer({ app });
    const threadId = randomUUID();
    await command(threadId, "run.start", { assistant_id: "ask", input: hello }, mine.url);
    const before = await eventsUntil(threadId, { channels: all }, runIs("interrupted"), mine.url);
    await mine.crash();
    const next = await startServer({ app, home: mine.home });
    const after = await eventsUntil(threadId, { channels: all }, runIs("interrupted"), next.url);
    expect(after.map(({ envelope }) => envelope)).toEqual(before.map(({ envelope }) => envelope));
    const inputRequest = after.find(({ event }) => event === "input.requested")?.envelope;
    const { interrupt_id } = { ...inputRequest?.params.data } as { interrupt_id?: string };
    const answer = await command(
      threadId,
      "input.respond",
      { namespace: inputRequest?.params.namespace, interrupt_id, response: "later" },
      next.url,
    );
    expect(answer).toMatchObject({ type: "success", result: {} });
    const end = await eventsUntil(threadId, { channels: ["values", "lifecycle"] }, runIs("completed"), next.url);
    expect(JSON.stringify(end.findLast(({ event }) => event === "values"))).toContain("later");
    // Events before the answer are history for the client that sent it.
    expect(answer.meta.applied_through_seq).toBeGreaterThanOrEqual(before.at(-1)?.envelope.seq ?? 0);
    expect(answer.meta.applied_through_seq).toBeLessThan(end.at(-1)?.envelope.seq ?? 0);
    await next.stop();
  }, 300_000);

  test("include a run of the older API, and one that is cancelled", async () => {
    const { thread_id } = await client.threads.create();
    const live = eventsUntil(thread_id, { channels: ["lifecycle", "custom"] }, runIs("interrupted"));
    const { run_id } = await client.runs.create(thread_id, "slow", { input: hello, streamMode: "custom" });
    await eventsUntil(thread_id, { channels: ["custom"] }, ({ method }) => method === "custom");
    await client.runs.cancel(thread_id, run_id, true);
    const events = await live;
    expect(events[0]?.envelope.event_id).toBe(`synth:${run_id}:lc||running`);
    expect(events.at(-1)?.envelope.event_id).toBe(`synth:${run_id}:lc||interrupted`);
  });
});

test("the older stream of a thread has the events of all its runs, from the first or from an id", async () => {
  const { thread_id } = await client.threads.create();
  const run = async (): Promise<void> => {
    const stream = client.runs.stream(thread_id, "chat", { input: hello, streamMode: "values", streamResumable: true });
    for await (const part of stream) void part;
  };
  await run();
  await run();
  const read = async (lastEventId: string, count: number) => {
    const parts: { event: string; id?: string }[] = [];
    const stop = new AbortController();
    for await (const { event, id } of client.threads.joinStream(thread_id, { lastEventId, signal: stop.signal })) {
      parts.push({ event, id });
      if (parts.length === count) break;
    }
    stop.abort();
    return parts;
  };
  const whole = await read("-", 8);
  const once = ["metadata", "values", "values", "run_done"];
  expect(whole.map(({ event }) => event)).toEqual([...once, ...once]);
  expect(await read(whole[2]?.id ?? "", 5)).toEqual(whole.slice(3));
  expect(await read("-", 1)).toEqual(whole.slice(0, 1));
});
