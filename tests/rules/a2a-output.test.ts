import { describe, expect, it } from "vitest";
import { beginTask, hear } from "../../lib/rules/a2a-fold.ts";
import { at, begun, ended, events, reply, stored, taskAfter } from "./a2a-runs.ts";

describe("what a graph puts out", () => {
  const MB = 1024 * 1024;
  const kept = (...list: [string, unknown][]) =>
    JSON.stringify(events(...list).reduce((heard, event) => hear(heard, event, at), beginTask(stored))).length;
  const data = (length: number) => "x".repeat(length);

  it("is the reply up to 4 MB", () => {
    const task = taskAfter(begun, ["values", { answer: data(3 * MB) }], ended("success"));
    expect(reply(task)).toEqual([{ kind: "data", data: { answer: data(3 * MB) } }]);
  });

  it("is not kept beyond them, but for what a task is judged by", () => {
    const large = { x: data(5 * MB), structuredResponse: { n: 1 }, metadata: { a2a: { state: "rejected" } } };
    expect(kept(begun, ["values", large])).toBeLessThan(10_000);
    expect(taskAfter(begun, ["values", large], ended("success")).status.state).toBe("rejected");
    const { metadata: _, ...done } = large;
    const said = { kind: "text", text: expect.stringContaining("too large for a reply") };
    expect(reply(taskAfter(begun, ["values", done], ended("success")))).toEqual([
      said,
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

  it("is kept when it was told many times over, and not when it grows", () => {
    const again = Array.from({ length: 30 }, (): [string, unknown] => ["updates", { node: { x: data(MB / 2) } }]);
    expect(reply(taskAfter(begun, ...again, ended("success")))).toEqual([{ kind: "data", data: { x: data(MB / 2) } }]);
    const more = Array.from({ length: 30 }, (_, n): [string, unknown] => ["updates", { node: { [n]: data(MB / 2) } }]);
    expect(kept(begun, ...more)).toBeLessThan(8 * MB);
  });

  it("may nest without end", () => {
    const deep = `{"node":{"x":${"[".repeat(100_000)}"${data(9 * MB)}"${"]".repeat(100_000)}}}`;
    const heard = hear(beginTask(stored), { id: 0, event: "updates", data: deep }, at);
    expect(heard.output).toEqual({});
  });
});
