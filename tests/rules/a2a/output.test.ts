import { describe, expect, it } from "vitest";
import { beginTask, foldEvent } from "../../../lib/rules/a2a/task-fold.ts";
import { at, begun, ended, events, reply, stored, taskAfter } from "./runs.ts";

describe("the output of a graph", () => {
  const MB = 1024 * 1024;
  const kept = (...list: [string, unknown][]) =>
    JSON.stringify(events(...list).reduce((progress, event) => foldEvent(progress, event, at), beginTask(stored)))
      .length;
  const data = (length: number) => "x".repeat(length);

  it("is the reply, up to 4 MB", () => {
    const task = taskAfter(begun, ["values", { answer: data(3 * MB) }], ended("success"));
    expect(reply(task)).toEqual([{ kind: "data", data: { answer: data(3 * MB) } }]);
  });

  it("above 4 MB is dropped, except for the members that decide the task's state", () => {
    const large = { x: data(5 * MB), structuredResponse: { n: 1 }, metadata: { a2a: { state: "rejected" } } };
    expect(kept(begun, ["values", large])).toBeLessThan(10_000);
    expect(taskAfter(begun, ["values", large], ended("success")).status.state).toBe("rejected");
    const { metadata: _, ...done } = large;
    const notice = { kind: "text", text: expect.stringContaining("too large for a reply") };
    expect(reply(taskAfter(begun, ["values", done], ended("success")))).toEqual([
      notice,
      { kind: "data", data: { n: 1 } },
    ]);
    const answered = { ...done, messages: [{ type: "ai", content: "hi", id: "m" }] };
    expect(reply(taskAfter(begun, ["values", answered], ended("success")))).toEqual([
      { kind: "text", text: "hi" },
      { kind: "data", data: { n: 1 } },
    ]);
    expect(kept(begun, ["values", { structuredResponse: data(5 * MB) }])).toBeLessThan(10_000);
    const small = taskAfter(begun, ["values", done], ["values", { y: 1 }], ended("success"));
    expect(reply(small)).toEqual([{ kind: "data", data: { y: 1 } }]);
  });

  it("is kept when the same value is emitted many times, and memory stays below 8 MB when it grows", () => {
    const again = Array.from({ length: 30 }, (): [string, unknown] => ["updates", { node: { x: data(MB / 2) } }]);
    expect(reply(taskAfter(begun, ...again, ended("success")))).toEqual([{ kind: "data", data: { x: data(MB / 2) } }]);
    const more = Array.from({ length: 30 }, (_, n): [string, unknown] => ["updates", { node: { [n]: data(MB / 2) } }]);
    expect(kept(begun, ...more)).toBeLessThan(8 * MB);
  });

  it("is ignored when it nests too deep to be encoded again", () => {
    const deep = `{"node":{"x":${"[".repeat(100_000)}"${data(9 * MB)}"${"]".repeat(100_000)}}}`;
    const progress = foldEvent(beginTask(stored), { id: 0, event: "updates", data: deep }, at);
    expect(progress).toEqual(beginTask(stored));
  });
});

describe("what accumulates while a graph runs", () => {
  const MB = 1024 * 1024;
  const progressOf = (...list: [string, unknown][]) =>
    events(begun, ...list).reduce((progress, event) => foldEvent(progress, event, at), beginTask(stored));
  const times = (count: number, event: (n: number) => [string, unknown]) =>
    Array.from({ length: count }, (_, n) => event(n));
  const text = (n: number) => `${n}`.padEnd(MB, "x");
  const sources: Record<string, (n: number) => [string, unknown]> = {
    "text that comes with a tool call": (n) => [
      "updates",
      { node: { messages: [{ type: "ai", id: `${n}`, content: text(n), tool_calls: [{ name: "t" }] }] } },
    ],
    artifacts: (n) => ["values", n === 0 ? { artifacts: [] } : { artifacts: [text(n)] }],
    interrupts: (n) => ["updates", { __interrupt__: [{ id: `${n}`, value: text(n) }] }],
    "interrupts without an id": (n) => ["updates", { __interrupt__: [{ value: text(n) }] }],
  };

  it.each(Object.keys(sources))("is kept up to 16 MB: %s", (name) => {
    const progress = progressOf(...times(24, sources[name] ?? (() => ["values", {}])));
    const size = JSON.stringify({ ...progress, output: undefined }).length;
    expect(size).toBeGreaterThan(14 * MB);
    expect(size).toBeLessThan(18 * MB);
  });

  it("holds at most 1 MB of a reply that is being written", () => {
    const piece = { type: "AIMessageChunk", id: "m", content: "x".repeat(1_000) };
    const progress = progressOf(...times(2_000, () => ["messages", [piece, {}]]));
    expect(progress.writing?.text.length).toBe(1_048_000);
  });

  it("is limited when one event brings 300,000 items", () => {
    const many = Array.from({ length: 300_000 }, (_, n) => ({ id: `${n}`, value: n }));
    const progress = progressOf(...times(3, () => ["updates", { __interrupt__: many }]));
    expect(progress.interrupts?.length).toBeLessThan(65_536);
    const made = progressOf(
      ["values", { artifacts: [] }],
      ["values", { artifacts: many }],
      ["values", { artifacts: many }],
    );
    expect(made.artifacts).toEqual(many.slice(-1_000));
  });
});
