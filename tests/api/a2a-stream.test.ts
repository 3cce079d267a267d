import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { Task03, Update03, Update10 } from "../protocol/a2a-schemas.ts";
import { useServer } from "../support/use-server.ts";
import { parts, rawA2a, results, type RpcResponse, v1Message } from "./a2a-raw.ts";

const server = useServer({ app: resolve(import.meta.dirname, "apps/a2a") });

const { request, get, stream } = rawA2a(() => server);

describe("a stream", () => {
  test("has one line of data per event and nothing else, and ends after the last", async () => {
    const opened = await stream("loop", "message/stream", { message: { parts } });
    expect(opened.headers).toMatchObject({
      "content-type": "text/event-stream",
      "cache-control": "no-cache, no-transform",
      "x-accel-buffering": "no",
    });
    await opened.end();
    expect(opened.text()).toMatch(/^(data: \{"jsonrpc":"2.0","id":5,"result":\{[^\n]*\}\}\n\n)+$/);
  });

  test("in v0.3 marks only the last event as final", async () => {
    const updates = results(await (await stream("loop", "message/stream", { message: { parts } })).end()).map((one) =>
      Update03.parse(one),
    );
    expect(
      updates.map((update) => (update.kind === "status-update" ? [update.status.state, update.final] : update.kind)),
    ).toEqual([
      "task",
      ["working", false],
      ["working", false],
      ...updates.slice(3, -1).map(() => "artifact-update"),
      ["completed", true],
    ]);
  });

  test("in v1.0 has no member that v1.0 does not have", async () => {
    const events = await (await stream("words", "SendStreamingMessage", { message: v1Message }, "five")).end();
    const updates = results(events).map((one) => Update10.parse(one));
    expect(updates.map((update) => Object.keys(update)[0])).toEqual([
      "task",
      "statusUpdate",
      ...updates.slice(2, -1).map(() => "artifactUpdate"),
      "statusUpdate",
    ]);
    expect(events.every(({ data }) => data.includes('"id":"five"'))).toBe(true);
  });

  test("ends with input-required when the graph is interrupted", async () => {
    const events = results(await (await stream("ask", "message/stream", { message: { parts } })).end());
    expect(events.at(-1)).toMatchObject({ kind: "status-update", status: { state: "input-required" }, final: true });
  });

  test("of a refused message has the error as its only event in v0.3", async () => {
    for (const params of [{}, { message: { parts: [] } }, { message: { parts, taskId: "none" } }]) {
      const opened = await stream("loop", "message/stream", params);
      const [event, ...others] = await opened.end();
      expect([event?.event, others]).toEqual([undefined, []]);
      const [{ id, error }] = results([event ?? { data: "" }]) as [RpcResponse];
      expect([id, [-32602, -32001].includes(error?.code ?? 0)]).toEqual([5, true]);
    }
  });

  test("of a refused message is a plain JSON-RPC error in v1.0", async () => {
    for (const params of [{}, { message: { ...v1Message, taskId: "none" } }]) {
      const { error } = await request("loop", "SendStreamingMessage", params, { accept: "text/event-stream" });
      expect([-32602, -32001]).toContain(error?.code);
    }
  });

  test("that its client closes does not end the task", async () => {
    const opened = await stream("slow", "message/stream", { message: { parts } });
    const first = await opened.until(({ data }) => data.includes('"kind":"task"'));
    opened.leave();
    const { id } = Task03.parse(results([first])[0]);
    await expect.poll(async () => (await get("slow", id)).status.state, { timeout: 10_000 }).toBe("completed");
  });

  test("sends the task's id in its first event, and the task can be read from then on", async () => {
    const opened = await stream("slow", "message/stream", { message: { parts } });
    const first = await opened.until(({ data }) => data.includes('"kind":"task"'));
    const { id } = Task03.parse(results([first])[0]);
    expect(["submitted", "working"]).toContain((await get("slow", id)).status.state);
    await opened.end();
    expect((await get("slow", id)).artifacts?.[0]?.parts).toEqual([{ kind: "text", text: "At last." }]);
  });
});
