/** Tests the later life of a task: cancelled, subscribed to again, continued after a restart. */
import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import * as z from "zod";
import { Task03, Task10, Update03, Update10 } from "../protocol/a2a-schemas.ts";
import { startServer } from "../support/server.ts";
import { useServer } from "../support/use-server.ts";
import { startHalfway, message, rawA2a, replyOf, results } from "./a2a-raw.ts";
import { firstHalf, halves } from "./apps/a2a/graphs.mjs";
import { type Gate, openGate } from "./gate.ts";

const APP = resolve(import.meta.dirname, "apps/a2a");

const server = useServer({ app: APP });
let gate: Gate;
beforeEach(async () => {
  gate = await openGate();
});
afterEach(() => gate.close());

const a2a = rawA2a(() => server);
const { request, send, get } = a2a;

describe("a task that is cancelled", () => {
  test("while it works is canceled for the caller and for all subscribers", async () => {
    const task = await startHalfway(a2a, gate);
    const listening = await a2a.stream("halfway", "tasks/resubscribe", { id: task.id });
    const cancelled = Task03.parse((await request("halfway", "tasks/cancel", { id: task.id })).result);
    expect(cancelled).toMatchObject({ id: task.id, status: { state: "canceled" } });
    expect(results(await listening.end()).at(-1)).toMatchObject({ status: { state: "canceled" }, final: true });
    expect(await get("halfway", task.id)).toMatchObject({ status: { state: "canceled" } });
    const again = await request("halfway", "CancelTask", { id: task.id });
    expect(again.error).toMatchObject({ code: -32002, data: [{ reason: "TASK_NOT_CANCELABLE" }] });
  });

  test("before its turn never starts", async () => {
    const first = await startHalfway(a2a, gate);
    const { contextId } = first;
    const second = await send("halfway", {
      ...message(gate.url, { contextId }),
      configuration: { blocking: false },
    });
    expect(second.status.state).toBe("submitted");
    expect(Task10.parse((await request("halfway", "CancelTask", { id: second.id })).result).status.state).toBe(
      "TASK_STATE_CANCELED",
    );
    gate.open();
    await expect.poll(async () => (await get("halfway", first.id)).status.state).toBe("completed");
  });

  test("while it waits for input accepts no answer any more, and its context continues", async () => {
    const interrupted = await send("ask", message("hello"));
    const { id: taskId, contextId } = interrupted;
    expect(Task03.parse((await request("ask", "tasks/cancel", { id: taskId })).result).status.state).toBe("canceled");
    const strict = await request("ask", "SendMessage", {
      message: { messageId: "m", role: "ROLE_USER", taskId, parts: [{ text: "yes" }] },
    });
    expect(strict.error?.code).toBe(-32004);
    expect(await send("ask", message("again", { contextId }))).toMatchObject({ status: { state: "input-required" } });
  });

  test("is unknown to every other assistant", async () => {
    const { id } = await send("counts", message("one"));
    for (const method of ["tasks/cancel", "CancelTask", "SubscribeToTask", "tasks/get"]) {
      expect((await request("loop", method, { id })).error?.code).toBe(-32001);
    }
  });
});

describe("a new subscriber", () => {
  test("receives the current task and then the rest, like all others", async () => {
    const task = await startHalfway(a2a, gate);
    // The graph reaches the gate before the host has read the first half. Subscribers in between receive it in other
    // chunks.
    await expect.poll(async () => replyOf(await get("halfway", task.id))).toEqual({ kind: "text", text: firstHalf });
    const listen = (id: number) => a2a.stream("halfway", "SubscribeToTask", { id: task.id }, id);
    const streams = await Promise.all([1, 2, 3].map(listen));
    const gone = await listen(4);
    gone.leave();
    gate.open();
    const [first = [], ...others] = (await Promise.all(streams.map((stream) => stream.end()))).map((events) =>
      results(events).map((result) => Update10.parse(result)),
    );
    expect(others).toEqual([first, first]);
    expect(first[0]).toMatchObject({ task: { id: task.id, status: { state: "TASK_STATE_WORKING" } } });
    const piece = (update: z.infer<typeof Update10>): string => {
      const [part] = "artifactUpdate" in update ? update.artifactUpdate.artifact.parts : [];
      return part && "text" in part ? part.text : "";
    };
    const held = "task" in (first[0] ?? {}) ? Task10.parse(Object.values(first[0] ?? {})[0]).artifacts : undefined;
    const [part] = held?.[0]?.parts ?? [];
    const before = part && "text" in part ? part.text : "";
    expect(halves.startsWith(before)).toBe(true);
    expect(before + first.map(piece).join("")).toBe(halves);
    expect(first.at(-1)).toMatchObject({ statusUpdate: { status: { state: "TASK_STATE_COMPLETED" } } });
  });

  test("to a task that is over receives it in v0.3, and an error in v1.0", async () => {
    const { id } = await send("counts", message("one"));
    const events = results(await (await a2a.stream("counts", "tasks/resubscribe", { id })).end());
    expect(events).toMatchObject([{ kind: "task" }, { kind: "status-update", final: true }]);
    const { error } = await request("counts", "SubscribeToTask", { id });
    expect(error).toMatchObject({ code: -32004, data: [{ reason: "UNSUPPORTED_OPERATION" }] });
  });

  test("to an unknown task receives an error, in v0.3 as an event of the stream", async () => {
    const id = randomUUID();
    const [event] = results(await (await a2a.stream("counts", "tasks/resubscribe", { id })).end());
    expect(event).toMatchObject({ id: 5, error: { code: -32001 } });
    expect((await request("counts", "SubscribeToTask", { id })).error?.code).toBe(-32001);
  });
});

test("a server that is killed during a task loses none of its tasks", async () => {
  const own = await startServer({ app: APP });
  const { home } = own;
  const before = rawA2a(() => own);
  const waiting = await before.send("ask", message("hello"));
  const done = await before.send("counts", message("one"));
  const task = await before.send("halfway", { ...message(gate.url), configuration: { blocking: false } });
  await gate.reached();
  await own.crash();
  const next = await startServer({ app: APP, home });
  try {
    const after = rawA2a(() => next);
    const listening = await after.stream("halfway", "tasks/resubscribe", { id: task.id });
    gate.open();
    const events = results(await listening.end()).map((event) => Update03.parse(event));
    expect(events[0]).toMatchObject({ kind: "task", id: task.id });
    expect(events.at(-1)).toMatchObject({ status: { state: "completed" }, final: true });
    expect(replyOf(await after.get("halfway", task.id))).toEqual({ kind: "text", text: halves });
    expect(await after.get("counts", done.id)).toEqual(done);
    expect(await after.get("ask", waiting.id)).toEqual(waiting);
    expect(replyOf(await after.send("ask", message("yes", { taskId: waiting.id })))).toMatchObject({
      text: "You said yes",
    });
  } finally {
    await next.stop();
  }
});
