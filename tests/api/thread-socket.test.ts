/** Tests the thread streaming protocol over a WebSocket, with the official client and frame by frame. */
import { resolve } from "node:path";
import { Client } from "@langchain/langgraph-sdk";
import { describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { startServer } from "../support/server.ts";
import { useServer } from "../support/use-server.ts";

const KEY = "a-key-of-thirty-two-characters-0";
const app = (name: string) => resolve(import.meta.dirname, "apps", name);
const open = useServer({ app: app("modes") });
const keyed = useServer({ app: app("modes"), env: { GRAPHLIB_API_KEY: KEY } });
const guarded = useServer({ app: app("guarded") });

const hello = { messages: [{ role: "user", content: "hello" }] };
const newId = () => crypto.randomUUID();

interface Frame {
  type: string;
  id?: number | null;
  error?: string;
  message?: string;
  method?: string;
  event_id?: string;
  result?: Record<string, unknown>;
  params?: { namespace: string[]; data: { event?: string } };
}

/** Opens a socket. `until` resolves with the first frame, past or future, that fits. */
async function connect(url: string, threadId: string, headers: Record<string, string> = {}) {
  const socket = new WebSocket(`${url.replace("http", "ws")}/threads/${threadId}/stream/events`, { headers });
  const frames: Frame[] = [];
  const waiting = new Set<() => void>();
  const closed = new Promise<number>((done) => socket.once("close", (code) => done(code)));
  socket.on("message", (data: Buffer) => {
    frames.push(JSON.parse(data.toString()) as Frame);
    for (const look of waiting) look();
  });
  await new Promise<void>((opened, failed) => {
    socket.once("open", opened);
    socket.once("error", failed);
    socket.once("unexpected-response", (_, answer) => failed(new Error(`HTTP ${answer.statusCode}`)));
  });
  const until = (fits: (frame: Frame) => boolean): Promise<Frame> =>
    new Promise((found) => {
      const look = (): void => {
        const frame = frames.find(fits);
        if (!frame) return;
        waiting.delete(look);
        found(frame);
      };
      waiting.add(look);
      look();
    });
  return {
    frames,
    closed,
    until,
    raw: socket,
    async command(id: number, method: string, params: object = {}): Promise<Frame> {
      socket.send(JSON.stringify({ id, method, params }));
      return await until((frame) => frame.id === id);
    },
  };
}

const ended = ({ method, params }: Frame): boolean =>
  method === "lifecycle" && params?.namespace.length === 0 && params.data.event === "completed";

describe("the official client", () => {
  test("runs, receives tokens and values, and continues its thread over a WebSocket", async () => {
    const client = new Client({ apiUrl: open.url, apiKey: null });
    const thread = client.threads.stream({ assistantId: "chat", transport: "websocket" });
    const { messages } = thread;
    await thread.run.start({ input: hello });
    const texts: string[] = [];
    for await (const message of messages) texts.push(await message.text);
    expect(texts).toEqual(["Hi!"]);
    expect(await thread.output).toMatchObject({ messages: [{ content: "hello" }, { content: "Hi!" }] });
    await thread.close();
    expect(await client.threads.get(thread.threadId)).toMatchObject({ status: "idle", metadata: { graph_id: "chat" } });
  });

  test("receives the whole output of every run, however short", async () => {
    const client = new Client({ apiUrl: open.url, apiKey: null });
    for (let run = 0; run < 40; run++) {
      const thread = client.threads.stream({ assistantId: "chat", transport: "websocket" });
      await thread.run.start({ input: hello });
      expect(await thread.output).toMatchObject({ messages: [{ content: "hello" }, { content: "Hi!" }] });
      await thread.close();
    }
  });

  test("answers an interrupt over a WebSocket", async () => {
    const client = new Client({ apiUrl: open.url, apiKey: null });
    const thread = client.threads.stream({ assistantId: "ask", transport: "websocket" });
    await thread.run.start({ input: hello });
    await thread.output;
    const [interrupt] = thread.interrupts;
    expect(interrupt?.payload).toEqual({ q: "ok?" });
    const { namespace = [], interruptId: interrupt_id = "" } = interrupt ?? {};
    await thread.input.respond({ namespace, interrupt_id, response: "yes" });
    const values = async () =>
      (await client.threads.getState<{ messages: { content: string }[] }>(thread.threadId)).values.messages;
    await expect.poll(async () => (await values()).at(-1)?.content).toBe("yes");
    await thread.close();
  });
});

describe("a socket", () => {
  test("answers a subscription first, then sends past and new events, the same as the stream over HTTP", async () => {
    const id = newId();
    const one = await connect(open.url, id);
    const channels = ["lifecycle", "values"];
    expect(await one.command(1, "subscription.subscribe", { channels })).toMatchObject({
      type: "success",
      result: { subscription_id: expect.any(String), replayed_events: 0 },
    });
    await one.command(2, "run.start", { assistant_id: "chat", input: hello });
    await one.until(ended);
    const late = await connect(open.url, id);
    await late.command(1, "subscription.subscribe", { channels });
    await late.until(ended);
    const events = (frames: Frame[]) => frames.filter(({ type }) => type === "event");
    expect(late.frames[0]).toMatchObject({ type: "success", id: 1 });
    expect(events(late.frames)).toEqual(events(one.frames));
    const response = await fetch(`${open.url}/threads/${id}/stream/events`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ channels }),
    });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    while (!text.includes('"completed"')) text += (await reader?.read())?.value ?? "";
    await reader?.cancel();
    const streamed = [...text.matchAll(/^data: (.*)$/gm)].map(([, data = ""]) => JSON.parse(data) as Frame);
    expect(events(one.frames)).toEqual(streamed);
    for (const socket of [one, late]) socket.raw.close();
  });

  test("sends the end of a run after all else of the run, in all subscriptions that were made in a row", async () => {
    const selections = [["lifecycle"], ["values", "lifecycle"], ["messages", "lifecycle"], ["checkpoints"]];
    for (let round = 0; round < 40; round++) {
      const one = await connect(open.url, newId());
      await one.command(1, "run.start", { assistant_id: "chat", input: hello });
      const answers = selections.map((channels, n) => one.command(2 + n, "subscription.subscribe", { channels }));
      await Promise.all(answers);
      const ends = (): number => one.frames.filter(ended).length;
      await one.until(() => ends() === 3);
      // Whatever was still under way comes before this answer.
      await one.command(9, "agent.getTree");
      const events = one.frames.filter(({ type }) => type === "event");
      const late = events.slice(events.findIndex(ended)).filter((frame) => !ended(frame));
      expect(late).toEqual([]);
      one.raw.close();
    }
  });

  test("ends a subscription, and reports errors in frames", async () => {
    const one = await connect(open.url, newId());
    const { result } = await one.command(1, "subscription.subscribe", { channels: ["lifecycle"] });
    const { subscription_id } = result ?? {};
    expect(await one.command(2, "subscription.unsubscribe", { subscription_id })).toMatchObject({ type: "success" });
    expect(await one.command(3, "subscription.unsubscribe", { subscription_id })).toMatchObject({
      error: "no_such_subscription",
    });
    expect(await one.command(4, "subscription.subscribe", { channels: [] })).toMatchObject({
      error: "invalid_argument",
    });
    expect(await one.command(5, "no.such", {})).toMatchObject({ error: "unknown_command" });
    expect(await one.command(6, "run.start", { assistant_id: "nobody" })).toMatchObject({ error: "invalid_argument" });
    for (const bad of ["{", "[]", "7", '{"id":"x","method":"run.start"}', '{"id":1}', "\0"]) {
      const before = one.frames.length;
      one.raw.send(bad);
      await one.until((frame) => one.frames.indexOf(frame) >= before);
      expect(one.frames.at(-1)).toMatchObject({ type: "error", id: null, error: "invalid_argument" });
    }
    await one.command(7, "run.start", { assistant_id: "chat", input: hello });
    expect(one.frames.filter(({ type }) => type === "event")).toEqual([]);
    one.raw.close();
  });

  test("limits the size of frames and the number of subscriptions", async () => {
    const one = await connect(open.url, newId());
    const params = { channels: ["lifecycle"] };
    const answers = Array.from({ length: 70 }, (_, n) => one.command(n, "subscription.subscribe", params));
    const kinds = (await Promise.all(answers)).map(({ type }) => type);
    expect(kinds.filter((type) => type === "success")).toHaveLength(64);
    one.raw.send("x".repeat(2 * 1024 * 1024));
    expect(await one.closed).toBe(1009);
  });

  test("admits the same callers as the call over HTTP", async () => {
    const id = newId();
    await expect(connect(keyed.url, id)).rejects.toThrow("HTTP 401");
    await expect(connect(keyed.url, id, { "x-api-key": "wrong" })).rejects.toThrow("HTTP 401");
    const one = await connect(keyed.url, id, { "x-api-key": KEY });
    expect(await one.command(1, "run.start", { assistant_id: "chat", input: hello })).toMatchObject({
      type: "success",
    });
    one.raw.close();
    await expect(connect(open.url, "%2e%2e")).rejects.toThrow(/HTTP 4\d\d/);
    await expect(connect(`${open.url}/agents/nobody`, id)).rejects.toThrow("HTTP 404");
    await expect(connect(`${open.url}/runs`, id)).rejects.toThrow("HTTP 400");
  });

  test("opens only for a thread's owner, where the application guards threads", async () => {
    const as = (user: string) => ({ authorization: `Bearer ${user}` });
    const client = new Client({ apiUrl: guarded.url, apiKey: null, defaultHeaders: as("ada") });
    const { thread_id } = await client.threads.create();
    await expect(connect(guarded.url, thread_id, as("bob"))).rejects.toThrow("HTTP 404");
    const ada = await connect(guarded.url, thread_id, as("ada"));
    expect(await ada.command(1, "state.get", { namespace: [] })).toMatchObject({ type: "success" });
    ada.raw.close();
  });

  test("of a page elsewhere is denied every command where there is no key", async () => {
    const one = await connect(open.url, newId(), { origin: "https://evil.example" });
    for (const [id, method, params] of [
      [1, "run.start", { assistant_id: "chat", input: hello }],
      [2, "subscription.subscribe", { channels: ["values"] }],
    ] as const)
      expect(await one.command(id, method, params)).toMatchObject({ type: "error", error: "permission_denied" });
    one.raw.close();
  });

  test("is closed with 1012 when the server stops", async () => {
    const own = await startServer({ app: resolve(import.meta.dirname, "apps/modes") });
    const one = await connect(own.url, newId());
    await one.command(1, "subscription.subscribe", { channels: ["lifecycle"] });
    await own.stop();
    expect(await one.closed).toBe(1012);
  });
});
