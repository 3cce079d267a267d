/** Tests commands of the thread streaming protocol against a started server. */
import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import { Client } from "@langchain/langgraph-sdk";
import { beforeAll, describe, expect, test } from "vitest";
import { raw } from "../support/raw.ts";
import { useServer } from "../support/use-server.ts";
import { commandOf, type Envelope, readEvents, nthRunCompleted, runIs } from "./thread-events.ts";

const app = resolve(import.meta.dirname, "apps/modes");
const server = useServer({ app });
let client: Client;
beforeAll(() => {
  client = new Client({ apiUrl: server.url, apiKey: null });
});

const hello = { messages: [{ role: "user", content: "hello", id: "u1" }] };
const command = (threadId: string, method: string, params: object = {}, url = server.url) =>
  commandOf(url, threadId, method, params);
const eventsUntil = (threadId: string, request: object, until: (one: Envelope) => boolean, url = server.url) =>
  readEvents(url, threadId, request, until);

describe("commands", () => {
  test("run.start on an interrupted thread resumes it with the input", async () => {
    const threadId = randomUUID();
    await command(threadId, "run.start", { assistant_id: "ask", input: hello });
    await eventsUntil(threadId, { channels: ["lifecycle"] }, runIs("interrupted"));
    await command(threadId, "run.start", { assistant_id: "ask", input: "typed" });
    await eventsUntil(threadId, { channels: ["lifecycle"] }, runIs("completed"));
    const { values } = await client.threads.getState(threadId);
    expect((values as { messages: { content: string }[] }).messages.at(-1)?.content).toBe("typed");
  });

  test("input.respond answers several questions at once, by their ids", async () => {
    const threadId = randomUUID();
    await command(threadId, "run.start", { assistant_id: "askTwice", input: hello });
    const questions = (await eventsUntil(threadId, { channels: ["input", "lifecycle"] }, runIs("interrupted")))
      .filter(({ event }) => event === "input.requested")
      .map(({ envelope }) => envelope.params.data as { interrupt_id: string; payload: string });
    expect(questions.map(({ payload }) => payload).toSorted()).toEqual(["one?", "two?"]);
    const typed = await command(threadId, "run.start", { assistant_id: "askTwice", input: "which of them?" });
    expect(typed).toMatchObject({ type: "error", error: "invalid_argument" });
    const responses = questions.map(({ interrupt_id, payload }) => ({
      namespace: [],
      interrupt_id,
      response: payload,
    }));
    expect(await command(threadId, "input.respond", { responses })).toMatchObject({ type: "success" });
    await eventsUntil(threadId, { channels: ["lifecycle"] }, runIs("completed"));
    const { values } = await client.threads.getState(threadId);
    const contents = (values as { messages: { content: string }[] }).messages.map(({ content }) => content);
    expect(contents.toSorted()).toEqual(["hello", "one: one?", "two: two?"]);
  });

  test("run.start forks from a checkpoint", async () => {
    const threadId = randomUUID();
    const turn = (content: string) => ({ messages: [{ role: "user", content }] });
    await command(threadId, "run.start", { assistant_id: "chat", input: turn("first") });
    const events = await eventsUntil(threadId, { channels: ["checkpoints", "lifecycle"] }, runIs("completed"));
    const newest = events.findLast(({ event }) => event === "checkpoints")?.envelope.params.data;
    const { id, step } = { ...newest } as { id?: string; step?: number };
    expect(step).toBe(1);
    await command(threadId, "run.start", { assistant_id: "chat", input: turn("second") });
    await eventsUntil(threadId, { channels: ["lifecycle"] }, nthRunCompleted(2));
    const config = { configurable: { checkpoint_id: id, thread_id: threadId } };
    await command(threadId, "run.start", { assistant_id: "chat", input: turn("instead"), config });
    await eventsUntil(threadId, { channels: ["lifecycle"] }, nthRunCompleted(3));
    const { values } = await client.threads.getState(threadId);
    const contents = (values as { messages: { content: string }[] }).messages.map(({ content }) => content);
    expect(contents).toEqual(["first", "Hi!", "instead", "Hi!"]);
  });

  test("that cannot be carried out are refused with an error of the protocol, and change nothing", async () => {
    const threadId = randomUUID();
    const refused = async (method: string, params: object, error: string) =>
      expect(await command(threadId, method, params)).toMatchObject({ type: "error", error });
    await refused("run.start", { input: 1 }, "invalid_argument");
    await refused("run.start", { assistant_id: "nobody", input: 1 }, "invalid_argument");
    await refused("input.respond", { namespace: [], interrupt_id: "x", response: 1 }, "no_such_run");
    await refused("state.get", { namespace: [] }, "invalid_argument");
    await refused("agent.getTree", {}, "no_such_run");
    await refused("agent.getTree", { run_id: randomUUID() }, "no_such_run");
    await refused("subscription.subscribe", { channels: ["values"] }, "not_supported");
    await refused("state.fork", { checkpoint_id: "x" }, "not_supported");
    await refused("dance", {}, "unknown_command");
    await expect(client.threads.get(threadId)).rejects.toThrow("404");
    await command(threadId, "run.start", { assistant_id: "ask", input: hello });
    await settled(threadId, "interrupted");
    await refused("input.respond", { namespace: [], interrupt_id: "other", response: 1 }, "no_such_interrupt");
    await refused("state.get", { namespace: ["nowhere:1"] }, "no_such_namespace");
  });

  test("of a wrong shape are 422, and invalid JSON is 400", async () => {
    const url = `${server.url}/threads/${randomUUID()}/commands`;
    for (const body of ["{}", '{"id":-1,"method":"run.start"}', '{"id":1}', "[]", '{"id":1,"method":"x","params":3}']) {
      expect((await raw(url, { body })).status).toBe(422);
    }
    expect((await raw(url, { body: "{" })).status).toBe(400);
    expect((await raw(`${server.url}/threads/none/commands`, { body: '{"id":1,"method":"x"}' })).status).toBe(422);
  });

  test("streams without channels are 422, and a GET without an upgrade is 426", async () => {
    const url = `${server.url}/threads/${randomUUID()}/stream/events`;
    for (const body of ["{}", '{"channels":[]}', '{"channels":["values"],"depth":-1}', '{"channels":"values"}']) {
      expect((await raw(url, { body })).status).toBe(422);
    }
    expect((await raw(url, { method: "GET" })).status).toBe(426);
  });
});

async function settled(threadId: string, status: string): Promise<void> {
  for (;;) {
    if ((await client.threads.get(threadId)).status === status) return;
    await new Promise((later) => setTimeout(later, 20));
  }
}
