/** Tests answers and further input in the thread streaming protocol, while a run of the thread goes on. */
import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import { Client } from "@langchain/langgraph-sdk";
import { StreamController } from "@langchain/langgraph-sdk/stream";
import { beforeAll, expect, test, vi } from "vitest";
import { useServer } from "../support/use-server.ts";
import { commandOf, type Envelope, readEvents, nthRunCompleted, runIs } from "./thread-events.ts";

const server = useServer({ app: resolve(import.meta.dirname, "apps/gated") });
let client: Client;
beforeAll(() => {
  client = new Client({ apiUrl: server.url, apiKey: null });
});

const start = (threadId: string, assistant_id: string) =>
  commandOf(server.url, threadId, "run.start", { assistant_id, input: { messages: [] } });
const answer = (threadId: string, interrupt_id: string, response = "this") =>
  commandOf(server.url, threadId, "input.respond", { namespace: [], interrupt_id, response });
const eventsUntil = (threadId: string, until: (one: Envelope) => boolean) =>
  readEvents(server.url, threadId, { channels: ["lifecycle", "input"] }, until);
const open = (threadId: string) => client.store.putItem(["gates"], threadId, {});
const unknown = "0".repeat(32);

/** Returns the id of the nth interrupt. */
async function interruptIdOf(threadId: string, number = 1): Promise<string> {
  let n = 0;
  const events = await eventsUntil(threadId, ({ method }) => method === "input.requested" && ++n === number);
  const last = events.at(-1);
  if (!last) throw new Error("there was no interrupt");
  return (last.envelope.params.data as { interrupt_id: string }).interrupt_id;
}
async function messagesOf(threadId: string): Promise<string[]> {
  const { values } = await client.threads.getState(threadId);
  return (values as { messages: { content: string }[] }).messages.map(({ content }) => content);
}

test("an answer to an unknown question is refused while a run goes on, and changes nothing", async () => {
  const threadId = randomUUID();
  await start(threadId, "gated");
  await interruptIdOf(threadId);
  expect((await client.threads.get(threadId)).status).toBe("busy");
  expect(await answer(threadId, unknown)).toMatchObject({
    type: "error",
    error: "no_such_interrupt",
    message: `Thread ${threadId} does not wait for ${unknown}`,
  });
  expect(await client.runs.list(threadId)).toHaveLength(1);
  await open(threadId);
  await eventsUntil(threadId, runIs("interrupted"));
});

test("an answer to a question of a running run waits for the run, and is accepted once", async () => {
  const threadId = randomUUID();
  await start(threadId, "gated");
  const id = await interruptIdOf(threadId);
  expect(await answer(threadId, id)).toMatchObject({ type: "success" });
  expect(await answer(threadId, id, "that")).toMatchObject({ type: "error", error: "no_such_interrupt" });
  await open(threadId);
  await eventsUntil(threadId, runIs("completed"));
  expect((await messagesOf(threadId)).toSorted()).toEqual(["open", "told: this"]);
  expect(await answer(threadId, id)).toMatchObject({ type: "error", error: "no_such_interrupt" });
});

test("one of eight simultaneous answers is accepted", async () => {
  const threadId = randomUUID();
  await start(threadId, "gated");
  await open(threadId);
  await eventsUntil(threadId, runIs("interrupted"));
  const id = await interruptIdOf(threadId);
  const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => answer(threadId, id, String(n))));
  expect(answers.map(({ type, error }) => error ?? type).toSorted()).toEqual([
    ...Array.from({ length: 7 }, () => "no_such_interrupt"),
    "success",
  ]);
  await eventsUntil(threadId, runIs("completed"));
  expect(await client.runs.list(threadId)).toHaveLength(2);
});

test("a node that asks twice is answered twice, by the same id", async () => {
  const threadId = randomUUID();
  await start(threadId, "twice");
  const first = await interruptIdOf(threadId);
  expect(await answer(threadId, first, "one")).toMatchObject({ type: "success" });
  const second = await interruptIdOf(threadId, 2);
  expect(await answer(threadId, second, "two")).toMatchObject({ type: "success" });
  await eventsUntil(threadId, runIs("completed"));
  expect(await messagesOf(threadId)).toEqual(["one two"]);
});

test("runs that a client queues on the server are streamed whole, and again to later readers", async () => {
  const seen = { threadId: "" };
  const controller = new StreamController<{ messages: { content: string }[] }>({
    client: client as never,
    assistantId: "calm",
    queue: "server",
    onThreadId: (threadId) => (seen.threadId = threadId),
  });
  const say = (content: string) => ({ messages: [{ type: "human", content }] });
  const first = controller.submit(say("one"));
  await vi.waitFor(async () => expect((await client.threads.get(seen.threadId)).status).toBe("busy"), {
    timeout: 30_000,
  });
  await controller.submit(say("two"), { multitaskStrategy: "enqueue" });
  expect(controller.queueStore.getSnapshot()).toHaveLength(1);
  await open(seen.threadId);
  await first;
  const texts = () => controller.rootStore.getSnapshot().messages.map(({ text }) => text);
  await vi.waitFor(() => expect(texts()).toEqual(["one", "open", "two", "open"]), { timeout: 30_000 });
  // The client clears its queue when it has seen the end of the run.
  await vi.waitFor(() => expect(controller.queueStore.getSnapshot()).toEqual([]), { timeout: 30_000 });
  await controller.dispose();
  const runs = (await client.runs.list(seen.threadId)) as unknown as { kwargs: { resumable: boolean } }[];
  expect(runs.map(({ kwargs }) => kwargs.resumable)).toEqual([true, true]);
  const channels = ["messages", "checkpoints", "lifecycle"];
  const events = await readEvents(server.url, seen.threadId, { channels }, nthRunCompleted(2));
  const starts = events.filter(
    ({ envelope }) => (envelope.params.data as { event?: string }).event === "message-start",
  );
  expect(starts.length).toBeGreaterThanOrEqual(2);
  expect(events.filter(({ event }) => event === "checkpoints").length).toBeGreaterThanOrEqual(4);
});

test("a run of the older API keeps its default options", async () => {
  const threadId = randomUUID();
  await open(threadId);
  await start(threadId, "calm");
  await eventsUntil(threadId, runIs("completed"));
  const plain = await client.runs.create(threadId, "calm", { input: { messages: [] } });
  expect((plain as { kwargs?: object }).kwargs).toMatchObject({ resumable: false, stream_mode: ["values"] });
});
