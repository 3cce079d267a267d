/** Tests subscriptions to a task, which stay open until the task is over and carry the reply as it is written. */
import { resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Update03, Update10 } from "../protocol/a2a-schemas.ts";
import { raw, type RawStream } from "../support/raw.ts";
import { useServer } from "../support/use-server.ts";
import { callers } from "./a2a-callers.ts";
import { startHalfway, message, rawA2a, results } from "./a2a-raw.ts";
import { halves } from "./apps/a2a/graphs.mjs";
import { type Gate, openGate } from "./gate.ts";

const server = useServer({ app: resolve(import.meta.dirname, "apps/a2a") });
let gate: Gate;
beforeEach(async () => {
  gate = await openGate();
});
afterEach(() => gate.close());

const a2a = rawA2a(() => server);
const { send, get } = a2a;

/** Resolves with the stream after its first event. From then on it misses nothing of the task. */
async function subscribed(graph: string, method: string, id: string): Promise<RawStream> {
  const stream = await a2a.stream(graph, method, { id });
  await stream.until(({ data }) => data.includes('"result"'));
  return stream;
}

const states03 = async (stream: RawStream): Promise<unknown[]> =>
  results(await stream.end())
    .map((one) => Update03.parse(one))
    .flatMap((update): unknown[] => {
      if (update.kind === "task") return [["task", update.status.state]];
      return update.kind === "status-update" ? [[update.status.state, update.final]] : [];
    });

const states10 = async (stream: RawStream): Promise<unknown[]> =>
  results(await stream.end())
    .map((one) => Update10.parse(one))
    .flatMap((update): unknown[] => {
      if ("task" in update) return [["task", update.task.status.state]];
      return "statusUpdate" in update ? [update.statusUpdate.status.state] : [];
    });

/** Answers a task's question. */
const answer = (words: string, taskId: string) => message(words, { taskId });

describe("a subscription to an interrupted task", () => {
  test("in v0.3 stays open over every question, and only its last event is final", async () => {
    const { id } = await send("decides", message("input-required"));
    const listening = await subscribed("decides", "tasks/resubscribe", id);
    await send("decides", answer("input-required", id));
    await send("decides", answer("completed", id));
    expect(await states03(listening)).toEqual([
      ["task", "input-required"],
      ["submitted", false],
      ["working", false],
      ["input-required", false],
      ["submitted", false],
      ["working", false],
      ["completed", true],
    ]);
  });

  test("in v1.0 stays open too, with a task only as its first event", async () => {
    const { id } = await send("decides", message("input-required"));
    const listening = await subscribed("decides", "SubscribeToTask", id);
    await send("decides", answer("input-required", id));
    await send("decides", answer("completed", id));
    const [working, inputRequired, submitted] = ["WORKING", "INPUT_REQUIRED", "SUBMITTED"].map(
      (one) => `TASK_STATE_${one}`,
    );
    expect(await states10(listening)).toEqual([
      ["task", inputRequired],
      submitted,
      working,
      inputRequired,
      submitted,
      working,
      "TASK_STATE_COMPLETED",
    ]);
    expect(listening.whole()).toBe(true);
  });

  test("that was working when the subscription began stays open over the question to the end", async () => {
    const { id } = await send("doubtful", { ...message("go"), configuration: { blocking: false } });
    const listening = await subscribed("doubtful", "SubscribeToTask", id);
    await listening.until(({ data }) => data.includes("INPUT_REQUIRED"));
    gate.open();
    await send("doubtful", answer(gate.url, id));
    expect((await states10(listening)).slice(-3)).toEqual([
      "TASK_STATE_SUBMITTED",
      "TASK_STATE_WORKING",
      "TASK_STATE_COMPLETED",
    ]);
  });

  test("ends with canceled when the task is cancelled", async () => {
    const { id } = await send("ask", message("hello"));
    const both = [await subscribed("ask", "tasks/resubscribe", id), await subscribed("ask", "SubscribeToTask", id)];
    await a2a.request("ask", "tasks/cancel", { id });
    expect(await states03(both[0] as RawStream)).toEqual([
      ["task", "input-required"],
      ["canceled", true],
    ]);
    expect(await states10(both[1] as RawStream)).toEqual([
      ["task", "TASK_STATE_INPUT_REQUIRED"],
      "TASK_STATE_CANCELED",
    ]);
  });

  test("ends with canceled when the task is deleted with its thread", async () => {
    const { id, contextId } = await send("ask", message("hello"));
    const listening = await subscribed("ask", "tasks/resubscribe", id);
    expect((await raw(`${server.url}/threads/${contextId}`, { method: "DELETE" })).status).toBe(204);
    expect(await states03(listening)).toEqual([
      ["task", "input-required"],
      ["canceled", true],
    ]);
  });

  test("can be closed without an effect on the task or on others", async () => {
    const { id } = await send("ask", message("hello"));
    const [gone, stays] = [
      await subscribed("ask", "SubscribeToTask", id),
      await subscribed("ask", "SubscribeToTask", id),
    ];
    gone.leave();
    await send("ask", answer("yes", id));
    expect((await states10(stays)).at(-1)).toBe("TASK_STATE_COMPLETED");
  });

  test("does not keep the stream of a message open, which ends with the next question", async () => {
    const { id } = await send("decides", message("input-required"));
    const listening = await subscribed("decides", "tasks/resubscribe", id);
    const sent = await a2a.stream("decides", "message/stream", answer("input-required", id));
    expect((await states03(sent)).at(-1)).toEqual(["input-required", true]);
    await a2a.request("decides", "tasks/cancel", { id });
    expect((await states03(listening)).at(-1)).toEqual(["canceled", true]);
  });
});

test.each(callers)("the official client %s receives the whole task by one subscription", async (_, connect) => {
  const caller = await connect(`${server.url}/a2a/ask/`);
  const { id, contextId } = await caller.send("hello");
  let answered: Promise<unknown> | undefined;
  const events = await caller.resubscribe(id, () => {
    answered = caller.send("yes", { taskId: id, contextId });
  });
  await answered;
  const states = events.map(({ kind, state }) => state ?? kind);
  expect(states).toEqual(["input-required", "submitted", "working", "artifact", "completed"]);
  expect(events.find(({ kind }) => kind === "artifact")?.text).toBe("You said yes");
});

describe("live text", () => {
  /** Joins all texts that the subscriber has received: a reply may come in chunks of any length. */
  const textOf = (stream: RawStream): string =>
    [
      ...stream
        .text()
        .replaceAll(gate.url, "")
        .matchAll(/"text":"([^"]*)"/g),
    ]
      .map(([, text]) => text)
      .join("");
  /** Waits for the first half, which the graph has emitted when it waits at the gate. */
  const firstHalf = (stream: RawStream) =>
    expect.poll(() => textOf(stream), { timeout: 20_000 }).toContain("what there is to say");

  test.each([
    ["message/send", "tasks/resubscribe", { ...message(""), configuration: { blocking: false } }],
    [
      "SendMessage",
      "SubscribeToTask",
      { message: { messageId: "m", role: "ROLE_USER" }, configuration: { returnImmediately: true } },
    ],
  ])(
    "of a task started by %s without waiting reaches a subscriber before the task is over",
    async (begin, subscribe, params) => {
      const parts = [begin === "message/send" ? { kind: "text", text: gate.url } : { text: gate.url }];
      const { result } = await a2a.request("halfway", begin, { ...params, message: { ...params.message, parts } });
      const { id } = (result as { task?: { id: string } }).task ?? (result as { id: string });
      await gate.reached();
      const listening = await subscribed("halfway", subscribe, id);
      await firstHalf(listening);
      expect(textOf(listening)).not.toContain("the second");
      gate.open();
      await listening.end();
      expect(textOf(listening)).toContain(halves);
    },
  );

  test("of the run that an answer starts reaches a subscriber, though no message was streamed", async () => {
    const { id } = await send("doubtful", message("go"));
    const listening = await subscribed("doubtful", "tasks/resubscribe", id);
    const sent = send("doubtful", answer(gate.url, id));
    await gate.reached();
    await firstHalf(listening);
    gate.open();
    expect((await sent).artifacts?.[0]?.parts).toEqual([{ kind: "text", text: halves }]);
    expect((await states03(listening)).at(-1)).toEqual(["completed", true]);
  });

  test("is the same for all subscribers, and the task has the whole of it", async () => {
    const task = await startHalfway(a2a, gate);
    const both = [
      await subscribed("halfway", "tasks/resubscribe", task.id),
      await subscribed("halfway", "tasks/resubscribe", task.id),
    ];
    gate.open();
    const [one, other] = await Promise.all(both.map(async (each) => results(await each.end()).slice(-2)));
    expect(one).toEqual(other);
    expect((await get("halfway", task.id)).artifacts?.[0]?.parts).toEqual([{ kind: "text", text: halves }]);
  });
});
