import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { type UsedServer, useServer } from "../support/use-server.ts";
import { callers, type Caller, type TaskEvent } from "./a2a-callers.ts";
import { reply } from "./apps/a2a/graphs.mjs";

const own = useServer();
const app = useServer({ app: resolve(import.meta.dirname, "apps/a2a") });

/** The text of a client that applies chunks as they come. */
const joined = (events: readonly TaskEvent[]): string =>
  events.reduce((text, { text: piece = "", append }) => (append ? text + piece : piece || text), "");
const states = (events: readonly TaskEvent[]): unknown[] => events.map(({ kind, state }) => state ?? kind);

describe.each(callers)("the official client %s", (_, connect) => {
  const at = (server: UsedServer, assistant: string): Promise<Caller> => connect(`${server.url}/a2a/${assistant}/`);

  test("finds the card from the agent's address, from a card's address with a query, and by a path", async () => {
    const query = "/.well-known/agent-card.json?assistant_id=echo";
    for (const caller of [
      await at(own, "echo"),
      await connect(`${own.url}${query}`, ""),
      await connect(own.url, query),
      await connect(`${own.url}/a2a/echo`, ""),
      await connect(`${own.url}/agents/default/a2a/echo/`),
      await connect(`${own.url}/a2a/echo`, ""),
    ]) {
      expect(await caller.send("hello")).toMatchObject({ state: "completed", reply: "hello" });
    }
  });

  test("sends a message, and a later get returns the same task", async () => {
    const caller = await at(own, "echo");
    const sent = await caller.send("two\nlines and ünïcödé 🙂", { contextId: "my context" });
    expect(sent).toMatchObject({ state: "completed", reply: "two\nlines and ünïcödé 🙂", contextId: "my context" });
    expect(await caller.get(sent.id)).toEqual(sent);
  });

  test("streams the task, its state working, the reply and its end", async () => {
    const events = await (await at(own, "echo")).stream("hello");
    expect(states(events)).toEqual(["submitted", "working", "artifact", "completed"]);
    expect(events[2]).toMatchObject({ text: "hello", lastChunk: true });
  });

  test("streams a long reply in chunks that join to the whole, with the last one marked", async () => {
    const caller = await at(app, "words");
    const events = await caller.stream("go");
    const pieces = events.filter((event) => event.kind === "artifact");
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces.length).toBeLessThan(30);
    expect(pieces.map((piece) => piece.lastChunk)).toEqual(pieces.map((_piece, index) => index === pieces.length - 1));
    expect(joined(events)).toBe(reply);
    expect((await caller.send("go")).reply).toBe(reply);
  });

  test("sends to an agent with tools, and the reply is the last text", async () => {
    const caller = await at(own, "agent");
    const sent = await caller.send("What is 12 * 7?");
    expect(sent).toMatchObject({ state: "completed", reply: expect.stringContaining("84") });
    expect(joined(await caller.stream("What is 12 * 7?"))).toBe(sent.reply);
  });

  test("streams text that comes before a tool call, and keeps the last text as the reply", async () => {
    const caller = await at(app, "loop");
    const events = await caller.stream("What is it?");
    expect(joined(events)).toBe("It is 4.");
    expect(states(events).filter((state) => state !== "artifact")).toEqual([
      "submitted",
      "working",
      "working",
      "completed",
    ]);
    expect((await caller.send("What is it?")).reply).toBe("It is 4.");
  });

  test("receives input-required when the graph is interrupted", async () => {
    const caller = await at(own, "approval");
    const sent = await caller.send("Tell Ada that the meeting is at ten");
    expect(sent).toMatchObject({
      state: "input-required",
      statusText: expect.stringContaining("Shall I send this message?"),
    });
    expect(await caller.get(sent.id)).toEqual(sent);
    expect(states(await caller.stream("Tell Ada that the meeting is at ten")).at(-1)).toBe("input-required");
  });

  test("receives a failure as a failed task, with one line and no stack", async () => {
    const caller = await at(app, "failing");
    expect(await caller.send("go")).toMatchObject({ state: "failed", statusText: "RangeError: kaput" });
    expect(states(await caller.stream("go")).at(-1)).toBe("failed");
  });

  test("sends to a graph without messages by its one text property", async () => {
    const caller = await at(app, "topic");
    expect(await caller.send("cats")).toMatchObject({ state: "completed", reply: { topic: "cats", title: "CATS" } });
    expect(states(await caller.stream("cats"))).toEqual(["submitted", "working", "artifact", "completed"]);
  });

  test("gets an error for an unknown task", async () => {
    const caller = await at(own, "echo");
    await expect(caller.get(crypto.randomUUID())).rejects.toThrow(/not found/i);
    await expect(caller.stream("hello", { taskId: crypto.randomUUID() })).rejects.toThrow(/not found/i);
    await expect(caller.resubscribe(crypto.randomUUID())).rejects.toThrow(/not found/i);
    const other = await (await at(own, "approval")).send("Tell Ada hello");
    await expect(caller.get(other.id)).rejects.toThrow(/not found/i);
  });

  test("sends twenty messages at once, and each gets its own reply", async () => {
    const caller = await at(own, "echo");
    const texts = Array.from({ length: 20 }, (_text, index) => `hello ${index}`);
    const sent = await Promise.all(texts.map((text) => caller.send(text)));
    expect(sent.map((one) => one.reply)).toEqual(texts);
    const streamed = await Promise.all(texts.map((text) => caller.stream(text)));
    expect(streamed.map(joined)).toEqual(texts);
  });
});
