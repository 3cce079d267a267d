/** Tests whole conversations with the official clients of both generations. */
import { resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type UsedServer, useServer } from "../support/use-server.ts";
import { callers, type TaskEvent } from "./a2a-callers.ts";
import { halves } from "./apps/a2a/graphs.mjs";
import { type Gate, openGate } from "./gate.ts";

const own = useServer();
const app = useServer({ app: resolve(import.meta.dirname, "apps/a2a") });
let gate: Gate;
beforeEach(async () => {
  gate = await openGate();
});
afterEach(() => gate.close());

const states = (events: readonly TaskEvent[]): unknown[] => events.map(({ kind, state }) => state ?? kind);
const MESSAGE = "Tell Ada that the meeting is at ten";

describe.each(callers)("the official client %s", (_, connect) => {
  const at = (server: UsedServer, assistant: string) => connect(`${server.url}/a2a/${assistant}/`);

  test.each([
    ["agent", "What is 12 * 7?", "84"],
    ["approval", MESSAGE, undefined],
    ["echo", "hello", "hello"],
  ])("sends to %s again in the same context, and each turn is a task", async (graph, input, reply) => {
    const caller = await at(own, graph);
    const first = await caller.send(input);
    if (first.state === "input-required") await caller.cancel(first.id);
    else expect(first.reply).toContain(reply);
    const second = await caller.send(input, { contextId: first.contextId });
    expect(second).toMatchObject({ contextId: first.contextId, state: first.state });
    expect(second.id).not.toBe(first.id);
    expect(await caller.list?.(first.contextId)).toEqual(caller.list && [second.id, first.id]);
  });

  test("sends text and data to a graph without messages", async () => {
    const caller = await at(app, "topic");
    const { contextId } = await caller.send("cats");
    expect(await caller.send({ topic: "dogs" }, { contextId })).toMatchObject({
      state: "completed",
      contextId,
      reply: { topic: "dogs", title: "DOGS" },
    });
  });

  test.each([
    ["text", "approve"],
    ["data", { resume: { decisions: [{ type: "approve" }] } }],
  ])("answers the question of approval by %s, streamed or not", async (_kind, answer) => {
    const caller = await at(own, "approval");
    for (const streamed of [false, true]) {
      const interrupted = await caller.send(MESSAGE);
      expect(interrupted.state).toBe("input-required");
      const target = { taskId: interrupted.id, contextId: interrupted.contextId };
      if (streamed) expect(states(await caller.stream(answer, target)).at(-1)).toBe("completed");
      else expect((await caller.send(answer, target)).id).toBe(interrupted.id);
      const done = await caller.get(interrupted.id);
      expect(done).toMatchObject({ state: "completed", contextId: interrupted.contextId });
      expect(await caller.list?.(interrupted.contextId)).toEqual(caller.list && [interrupted.id]);
    }
  });

  test("cancels a working task, and cannot cancel one that is over", async () => {
    const caller = await at(app, "halfway");
    const task = await caller.sendAsync(gate.url);
    await gate.reached();
    expect(await caller.cancel(task.id)).toMatchObject({ id: task.id, state: "canceled" });
    await expect(caller.cancel(task.id)).rejects.toThrow(/cancel/i);
  });

  test("subscribes again to a working task, and receives the rest of it", async () => {
    const caller = await at(app, "halfway");
    const task = await caller.sendAsync(gate.url);
    await gate.reached();
    const events = await caller.resubscribe(task.id, gate.open);
    expect(events[0]).toMatchObject({ kind: "task", state: "working" });
    expect(events.at(-1)).toMatchObject({ kind: "status", state: "completed" });
    expect((await caller.get(task.id)).reply).toBe(halves);
  });
});
