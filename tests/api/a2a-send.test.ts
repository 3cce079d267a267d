import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { Task03, Task10 } from "../protocol/a2a-schemas.ts";
import { raw } from "../support/raw.ts";
import { useServer } from "../support/use-server.ts";
import { call, codeOf, parseResponse, parts, rawA2a, v1Message } from "./a2a-raw.ts";

const server = useServer({ app: resolve(import.meta.dirname, "apps/a2a") });

const { at, request, send, get } = rawA2a(() => server);

describe("a send", () => {
  test("in v0.3 returns the bare task, with the reply as its first artifact", async () => {
    const body = call("message/send", { message: { role: "user", parts }, messageId: "", thread: { threadId: "" } });
    const answer = parseResponse(await raw(at("loop"), { body, headers: { accept: "application/json" } }));
    const sent = Task03.parse(answer.result);
    expect(sent.artifacts?.[0]?.parts[0]).toEqual({ kind: "text", text: "It is 4." });
    expect(sent).toMatchObject({
      status: { state: "completed" },
      history: [
        { role: "user", taskId: sent.id, contextId: sent.contextId, parts },
        { role: "agent", parts: [{ text: "Let me look." }] },
      ],
    });
    expect(sent.history?.[0]?.messageId).not.toBe("");
  });

  test("in v1.0 returns the task in its wrapper, with no member that v1.0 does not have", async () => {
    const { result } = await request("loop", "SendMessage", { message: v1Message }, { "a2a-version": "1.0" });
    const sent = Task10.parse((result as { task: unknown }).task);
    expect(sent).toMatchObject({ status: { state: "TASK_STATE_COMPLETED" }, history: [{ messageId: "m1" }, {}] });
    expect(Task10.parse((await request("loop", "GetTask", { id: sent.id })).result)).toMatchObject({
      artifacts: sent.artifacts,
    });
  });

  test("is answered in the generation of its method, whatever the version header and the form of the message", async () => {
    const mixed = {
      messageId: "m",
      role: "ROLE_USER",
      parts: [{ text: "a" }, { kind: "text", text: "b" }, { type: "text", text: "c" }],
    };
    const v03 = await request("loop", "message/send", { message: mixed }, { "a2a-version": "1.0" });
    expect(Task03.parse(v03.result).status.state).toBe("completed");
    const v10 = await request(
      "loop",
      "SendMessage",
      { message: { message_id: "m", role: "user", parts } },
      { "a2a-version": "0.3" },
    );
    expect(Task10.parse((v10.result as { task: unknown }).task).status.state).toBe("TASK_STATE_COMPLETED");
  });

  test("accepts ids beside the message and returns the context", async () => {
    const sent = await send("loop", {
      message: { role: "user", parts },
      messageId: "mine",
      thread: { threadId: "ctx/ü 1" },
    });
    expect(sent.contextId).toBe("ctx/ü 1");
    expect(sent.history?.[0]).toMatchObject({ messageId: "mine", contextId: "ctx/ü 1" });
    expect((await get("loop", sent.id)).contextId).toBe("ctx/ü 1");
  });

  test("that does not wait is answered at once, and the task continues", async () => {
    const sent = await send("slow", { message: { parts }, configuration: { blocking: false } });
    expect(["submitted", "working"]).toContain(sent.status.state);
    await expect.poll(async () => (await get("slow", sent.id)).status.state, { timeout: 10_000 }).toBe("completed");
    expect((await get("slow", sent.id)).artifacts?.[0]?.parts).toEqual([{ kind: "text", text: "At last." }]);
  });

  test("returns as much history as requested, like a get", async () => {
    const lengths = [undefined, 0, 1, 9];
    for (const historyLength of lengths) {
      const sent = await send("loop", { message: { parts }, configuration: { historyLength } });
      const found = Task03.parse((await request("loop", "tasks/get", { id: sent.id, historyLength })).result);
      const expected = historyLength === undefined || historyLength > 2 ? 2 : historyLength || undefined;
      expect([sent.history?.length, found.history?.length]).toEqual([expected, expected]);
    }
    expect(await codeOf(request("loop", "tasks/get", { id: "a", historyLength: -1 }))).toBe(-32602);
  });

  test("of an unsupported part is refused, by its kind and by its media type", async () => {
    const sent = (...list: unknown[]) => codeOf(request("loop", "message/send", { message: { parts: list } }));
    expect(await sent({ kind: "file", file: { uri: "https://a.example/b.png", mimeType: "image/png" } })).toBe(-32005);
    expect(await sent({ raw: "AA==", mediaType: "image/png" })).toBe(-32005);
    expect(await sent({ text: "a", mediaType: "application/x-unsupported-tck-type" })).toBe(-32005);
    expect(await sent({ kind: "hologram" })).toBe(-32005);
    expect(await sent({ kind: "text" })).toBe(-32602);
    expect(await codeOf(request("loop", "message/send", { message: { parts: "hello" } }))).toBe(-32602);
    expect(await codeOf(request("loop", "SendMessage", { message: { role: "ROLE_USER", parts } }))).toBe(-32602);
  });

  test("reaches a graph without messages by data, and its state is returned as data", async () => {
    const data = (value: unknown) => ({ message: { parts: [{ kind: "data", data: value }] } });
    const form = await send("form", data({ city: "Basel", country: "Switzerland" }));
    expect(form.artifacts?.[0]?.parts).toMatchObject([
      { kind: "data", data: { greeting: "Hello Basel, Switzerland" } },
    ]);
    expect((await send("untyped", data({ n: 1 }))).artifacts?.[0]?.parts).toEqual([{ kind: "data", data: { n: 2 } }]);
    expect((await send("topic", { message: { parts } })).artifacts?.[0]?.parts).toMatchObject([
      { data: { title: "HELLO" } },
    ]);
    const refused = await request("form", "message/send", { message: { parts } });
    expect(refused.error).toMatchObject({ code: -32602, message: expect.stringContaining('"messages"') });
  });

  test("to a graph that ends its process gives a failed task, and the next one works", async () => {
    const sent = await send("exits", { message: { parts } });
    expect(sent.status).toMatchObject({
      state: "failed",
      message: { parts: [{ text: expect.stringContaining("Worker") }] },
    });
    await expect
      .poll(async () => (await send("loop", { message: { parts } })).status.state, { timeout: 10_000 })
      .toBe("completed");
  });
});

describe("a message to a task", () => {
  test("that is done starts a new task in its context in v0.3, and is refused in v1.0", async () => {
    const first = await send("loop", { message: { parts } });
    const second = await send("loop", { message: { parts, taskId: first.id, contextId: first.contextId } });
    expect([second.contextId, second.status.state]).toEqual([first.contextId, "completed"]);
    expect(second.id).not.toBe(first.id);
    expect(await codeOf(request("loop", "SendMessage", { message: { ...v1Message, taskId: first.id } }))).toBe(-32004);
  });

  test("of another context or another assistant, or to an unknown task, is refused", async () => {
    const first = await send("loop", { message: { parts } });
    const to = (graph: string, message: object) =>
      codeOf(request(graph, "message/send", { message: { parts, ...message } }));
    expect(await to("loop", { taskId: first.id, contextId: "another" })).toBe(-32602);
    expect(await to("words", { taskId: first.id })).toBe(-32001);
    expect(await to("loop", { taskId: crypto.randomUUID() })).toBe(-32001);
    expect(await codeOf(request("words", "tasks/get", { id: first.id }))).toBe(-32001);
  });

  test("that is working is refused with the reason", async () => {
    const slow = await send("slow", { message: { parts }, configuration: { blocking: false } });
    const busy = await request("slow", "message/send", { message: { parts, taskId: slow.id } });
    expect(busy.error).toMatchObject({ code: -32004, message: expect.stringContaining("is working") });
  });

  test("that is input-required is the answer", async () => {
    const interrupted = await send("ask", { message: { parts } });
    expect(interrupted.status).toMatchObject({
      state: "input-required",
      message: {
        parts: [{ text: "Ready?" }, { data: { interrupts: [{ value: { question: "Ready?" } }] } }],
      },
    });
    const text = [{ kind: "text", text: "yes" }];
    const answered = await send("ask", { message: { parts: text, taskId: interrupted.id } });
    expect(answered).toMatchObject({
      id: interrupted.id,
      status: { state: "completed" },
      artifacts: [{ parts: [{ text: "You said yes" }] }],
    });
    expect(answered.history?.map(({ role }) => role)).toEqual(["user", "agent", "user"]);
  });
});
