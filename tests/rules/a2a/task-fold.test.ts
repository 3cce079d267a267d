import { describe, expect, it } from "vitest";
import type { Message } from "../../../lib/protocol/a2a.ts";
import { beginTask } from "../../../lib/rules/a2a/task-fold.ts";
import { taskOf } from "../../../lib/rules/a2a/task.ts";
import { at, begun, ended, events, play, reply, stored, taskAfter, type Batch } from "./runs.ts";

const token = (content: unknown, id = "m1"): [string, unknown] => ["messages", [{ type: "ai", content, id }, {}]];

describe("a task", () => {
  it("is submitted before its run begins and working after", () => {
    expect(taskAfter().status).toEqual({ state: "submitted", timestamp: stored.created_at });
    expect(taskAfter(begun).status).toEqual({ state: "working", timestamp: at });
  });

  it("replies with the text of the last message of the agent", () => {
    const update = {
      model: {
        messages: [
          { type: "ai", content: "one" },
          { type: "ai", content: [{ type: "text", text: "two" }] },
        ],
      },
    };
    const task = taskAfter(
      begun,
      ["updates", update],
      ["updates", { tools: { messages: [{ type: "tool", content: "3" }] } }],
      ended("success"),
    );
    expect(task).toMatchObject({
      status: { state: "completed" },
      artifacts: [{ artifactId: "artifact", name: "reply" }],
    });
    expect(reply(task)).toEqual([{ kind: "text", text: "two" }]);
  });

  it.each([
    ["role and content", { role: "assistant", content: "hi" }],
    ["one message for a list", { type: "ai", content: "hi" }],
    ["a pair in a list", [["ai", "hi"]]],
  ])("understands a reply given as %s", (_, messages) => {
    expect(reply(taskAfter(begun, ["updates", { node: { messages } }], ended("success")))).toEqual([
      { kind: "text", text: "hi" },
    ]);
  });

  it("never takes a message of an earlier turn as its reply", () => {
    const before = [
      { type: "human", content: "a", id: "x" },
      { type: "ai", content: "old", id: "y" },
      { type: "human", content: "hi", id: "asked" },
    ];
    const state = (...more: unknown[]): [string, unknown] => ["values", { messages: [...before, ...more] }];
    expect(reply(taskAfter(begun, state(), state({ type: "ai", content: "new" }), ended("success")))).toEqual([
      { kind: "text", text: "new" },
    ]);
    expect(reply(taskAfter(begun, state(), ended("success")))?.[0]).toMatchObject({ kind: "data" });
  });

  it("replies with the state when there is no text", () => {
    expect(
      reply(taskAfter(begun, ["values", { topic: "a" }], ["values", { topic: "a", n: 1 }], ended("success"))),
    ).toEqual([{ kind: "data", data: { topic: "a", n: 1 } }]);
    expect(reply(taskAfter(begun, ended("success")))).toEqual([{ kind: "data", data: {} }]);
  });

  it("keeps text that came with a tool call as a message, not as the reply", () => {
    const onTheWay = { type: "ai", content: "Let me see.", id: "m1", tool_calls: [{ id: "c", name: "look" }] };
    const task = taskAfter(
      begun,
      ["updates", { model: { messages: [onTheWay] } }],
      ["updates", { model: { messages: [{ type: "ai", content: "It is 4.", id: "m2" }] } }],
      ended("success"),
    );
    expect(reply(task)).toEqual([{ kind: "text", text: "It is 4." }]);
    expect(task.history?.map(({ role, parts }) => [role, parts[0]])).toEqual([
      ["user", { kind: "text", text: "hi" }],
      ["agent", { kind: "text", text: "Let me see." }],
    ]);
  });

  it("that is interrupted asks once, though the interrupt has no id and comes with every state", () => {
    const interrupts = [{ value: "Send?" }];
    const data = { __interrupt__: interrupts };
    const task = taskAfter(begun, ["updates", data], ["values", data], ["values", data], ended("success"));
    expect(task.status.message?.parts).toEqual([
      { kind: "text", text: "Send?" },
      { kind: "data", data: { interrupts } },
    ]);
  });

  it("that is interrupted asks in text and in data", () => {
    const interrupts = [
      { id: "i1", value: { question: "Send?" } },
      { id: "i2", value: "Really?" },
    ];
    const task = taskAfter(begun, ["updates", { __interrupt__: interrupts }], ended("success"));
    expect(task.status).toMatchObject({
      state: "input-required",
      message: {
        role: "agent",
        taskId: "task",
        contextId: "context",
        parts: [
          { kind: "text", text: "Send?\n\nReally?" },
          { kind: "data", data: { interrupts } },
        ],
      },
    });
  });

  it("that is interrupted continues with the next run, and keeps the question in its history", () => {
    const task = taskAfter(
      begun,
      ["updates", { __interrupt__: [{ id: "i1", value: "Send?" }] }],
      ended("success"),
      begun,
      ["updates", { node: { messages: [{ type: "ai", content: "Sent." }] } }],
      ended("success"),
    );
    expect(task.status.state).toBe("completed");
    expect(reply(task)).toEqual([{ kind: "text", text: "Sent." }]);
    expect(task.history?.at(-1)).toMatchObject({ role: "agent", parts: [{ text: "Send?" }, { kind: "data" }] });
  });

  it("that failed gives the reason in one line", () => {
    const error = { error: "RangeError", message: "kaput\n    at file.ts:1" };
    expect(taskAfter(begun, ["error", error], ended("error")).status).toMatchObject({
      state: "failed",
      message: { parts: [{ kind: "text", text: "RangeError: kaput" }] },
    });
  });

  it("is canceled after a cancelled run, and failed after a timeout", () => {
    expect(taskAfter(begun, ended("interrupted")).status.state).toBe("canceled");
    expect(taskAfter(ended("interrupted")).status.state).toBe("canceled");
    expect(taskAfter(begun, ended("timeout")).status).toMatchObject({ state: "failed", message: { role: "agent" } });
  });

  const question: Message = { messageId: "asked", role: "user", parts: [{ kind: "text", text: "hi" }] };

  it("returns as much history as is requested, and keeps the newest messages", () => {
    const progress = beginTask(stored);
    expect(taskOf(stored, progress).history?.length).toBe(1);
    expect(taskOf(stored, progress, { historyLength: 1 }).history?.length).toBe(1);
    expect("history" in taskOf(stored, progress, { historyLength: 0 })).toBe(false);
    const two = { ...stored, history: ["first", "asked"].map((messageId) => ({ ...question, messageId })) };
    expect(taskOf(two, progress, { historyLength: 1 }).history?.map((one) => one.messageId)).toEqual(["asked"]);
  });
});

describe("a stream", () => {
  const summaryOf = (batches: Batch[]) =>
    play(batches).updates.map((update) => {
      if (update.kind === "artifact") {
        const [part] = update.artifact.parts;
        return [update.append, part?.kind === "text" ? part.text : part?.kind, update.lastChunk];
      }
      return update.kind === "status" ? [update.status.state, update.last] : update.kind;
    });
  const apart = (ms: number, ...list: [string, unknown][]): Batch[] =>
    events(...list).map((one) => ({ events: [one], ms }));

  it("sends chunks as they come and holds the newest back, to mark the last", () => {
    const state: [string, unknown] = ["updates", { model: { messages: [{ type: "ai", content: "Hello, world!" }] } }];
    expect(
      summaryOf(apart(100, begun, token("Hello"), token(", "), token("world"), token("!"), state, ended("success"))),
    ).toEqual([
      "task",
      ["working", false],
      [false, "Hello", false],
      [true, ", ", false],
      [true, "world", false],
      [true, "!", true],
      ["completed", true],
    ]);
  });

  it("collects fast tokens into chunks of 40 characters", () => {
    const words = Array.from({ length: 100 }, (_, index) => `word${index % 10} `);
    const state: [string, unknown] = ["updates", { model: { messages: [{ type: "ai", content: words.join("") }] } }];
    const updates = summaryOf(apart(0, begun, ...words.map((word) => token(word)), state, ended("success")));
    expect(updates.length).toBeLessThan(25);
    expect(updates.length).toBeGreaterThan(15);
  });

  it("sends a reply without tokens whole", () => {
    const state: [string, unknown] = ["updates", { model: { messages: [{ type: "ai", content: "Hello" }] } }];
    expect(summaryOf(apart(0, begun, state, ended("success")))).toEqual([
      "task",
      ["working", false],
      [false, "Hello", true],
      ["completed", true],
    ]);
  });

  it("replaces text that turned out not to be the reply", () => {
    const updates = summaryOf(
      apart(
        100,
        begun,
        token("Let me "),
        token("look.", "m1"),
        ["updates", { model: { messages: [{ type: "ai", content: "Let me look.", id: "m1", tool_calls: [{}] }] } }],
        token("It is 4", "m2"),
        token(".", "m2"),
        ["updates", { model: { messages: [{ type: "ai", content: "It is 4.", id: "m2" }] } }],
        ended("success"),
      ),
    );
    expect(updates).toEqual([
      "task",
      ["working", false],
      [false, "Let me ", false],
      ["working", false],
      [false, "It is 4", false],
      [true, ".", true],
      ["completed", true],
    ]);
  });

  it("sends the last chunk anew when the reply is shorter than what was streamed", () => {
    const state: [string, unknown] = ["updates", { model: { messages: [{ type: "ai", content: "Hel" }] } }];
    expect(summaryOf(apart(100, begun, token("Hel"), token("lo"), state, ended("success")))).toEqual([
      "task",
      ["working", false],
      [false, "Hel", false],
      [false, "Hel", true],
      ["completed", true],
    ]);
  });

  it("splits text that is too long for one event, never inside of a character", () => {
    const text = "🙂x".repeat(700_000);
    const state: [string, unknown] = ["updates", { model: { messages: [{ type: "ai", content: text }] } }];
    const pieces = summaryOf(apart(0, begun, state, ended("success"))).filter(
      (one) => Array.isArray(one) && one.length === 3,
    );
    expect(pieces.map(([append, , last]) => [append, last])).toEqual([
      [false, false],
      [true, false],
      [true, false],
      [true, false],
      [true, true],
    ]);
    expect(pieces.map(([, piece]) => piece).join("")).toBe(text);
    for (const [, piece] of pieces) expect(String(piece).isWellFormed()).toBe(true);
  });

  it("sends the state working once, and text that came with a tool call once", () => {
    const message = { type: "ai", content: "Let me look.", id: "m1", tool_calls: [{}] };
    const state: [string, unknown] = ["values", { messages: [message] }];
    expect(summaryOf(apart(0, begun, begun, state, state, ended("interrupted")))).toEqual([
      "task",
      ["working", false],
      ["working", false],
      [false, "Let me look.", true],
      ["canceled", true],
    ]);
  });

  it("marks the last chunk when the run fails in mid-reply", () => {
    expect(summaryOf(apart(100, begun, token("Hel"), token("lo"), ended("error")))).toEqual([
      "task",
      ["working", false],
      [false, "Hel", false],
      [true, "lo", true],
      ["failed", true],
    ]);
  });
});
