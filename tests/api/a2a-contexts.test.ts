/** Tests the tasks of a context, and lists of them. */
import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import * as z from "zod";
import { Task03, Task10 } from "../protocol/a2a-schemas.ts";
import { useServer } from "../support/use-server.ts";
import { startHalfway, message, rawA2a, replyOf } from "./a2a-raw.ts";
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

const List10 = z.strictObject({
  tasks: z.array(Task10),
  nextPageToken: z.string(),
  pageSize: z.int(),
  totalSize: z.int(),
});
const list = async (graph: string, params: object) => List10.parse((await request(graph, "ListTasks", params)).result);
const idsOf = (tasks: readonly { id: string }[]) => tasks.map(({ id }) => id);

describe("a context", () => {
  test.each([
    ["a UUID", () => randomUUID()],
    ["any string", () => `order 66 / ${randomUUID()} ü`],
  ])("that the client names by %s keeps its messages", async (_, newId) => {
    const contextId = newId();
    const first = await send("counts", message("one", { contextId }));
    const second = await send("counts", message("two", { contextId }));
    expect([replyOf(first), replyOf(second)]).toMatchObject([{ text: "1: one" }, { text: "2: one, two" }]);
    expect([first.contextId, second.contextId]).toEqual([contextId, contextId]);
    expect(second.id).not.toBe(first.id);
    expect(replyOf(await send("counts", message("one")))).toMatchObject({ text: "1: one" });
  });

  test("that the server made continues by its id, and in v0.3 by a finished task", async () => {
    const { id: taskId, contextId } = await send("counts", message("one"));
    expect(replyOf(await send("counts", message("two", { contextId })))).toMatchObject({ text: "2: one, two" });
    const third = await send("counts", message("three", { taskId }));
    expect(third).toMatchObject({ contextId });
    expect(replyOf(third)).toMatchObject({ text: "3: one, two, three" });
  });

  test("is separate for every assistant", async () => {
    const contextId = randomUUID();
    await send("counts", message("one", { contextId }));
    expect(await send("loop", message("hello", { contextId }))).toMatchObject({
      contextId,
      status: { state: "completed" },
    });
    expect(replyOf(await send("counts", message("two", { contextId })))).toMatchObject({ text: "2: one, two" });
  });

  test("takes messages in their order, one at a time", async () => {
    const contextId = randomUUID();
    const words = ["one", "two", "three", "four"];
    const tasks = [];
    for (const word of words) {
      tasks.push(await send("counts", { ...message(word, { contextId }), configuration: { blocking: false } }));
    }
    await send("counts", message("five", { contextId }));
    const ended = await Promise.all(tasks.map((task) => get("counts", task.id)));
    expect(ended.map((task) => replyOf(task))).toMatchObject([
      { text: "1: one" },
      { text: "2: one, two" },
      { text: "3: one, two, three" },
      { text: "4: one, two, three, four" },
    ]);
  });

  test("is a thread for the rest of the API", async () => {
    const { contextId } = await send("counts", message("one"));
    const thread = await fetch(`${server.url}/threads/${contextId}`);
    expect(await thread.json()).toMatchObject({ thread_id: contextId, metadata: { graph_id: "counts" } });
  });
});

describe("a list", () => {
  test("has the newest first, in pages with every task once, without artifacts unless they are requested", async () => {
    const contextId = randomUUID();
    const sent = [];
    for (const word of ["one", "two", "three"]) sent.push(await send("counts", message(word, { contextId })));
    const all = await list("counts", { contextId });
    expect(all).toMatchObject({ nextPageToken: "", pageSize: 50, totalSize: 3 });
    expect(idsOf(all.tasks)).toEqual(idsOf(sent).toReversed());
    expect(all.tasks.every((task) => task.artifacts === undefined && task.history === undefined)).toBe(true);
    const paged: string[] = [];
    let pageToken = "";
    do {
      const page = await list("counts", { contextId, pageSize: 2, pageToken });
      paged.push(...idsOf(page.tasks));
      pageToken = page.nextPageToken;
    } while (pageToken !== "");
    expect(paged).toEqual(idsOf(all.tasks));
    const [newest] = (await list("counts", { contextId, includeArtifacts: true, historyLength: 1 })).tasks;
    expect(newest).toMatchObject({
      artifacts: [{ parts: [{ text: "3: one, two, three" }] }],
      history: [{ parts: [{ text: "three" }] }],
    });
  });

  test("is filtered by state and time, in the terms of either generation", async () => {
    const contextId = randomUUID();
    const done = await send("ask", message("a", { contextId: randomUUID() }));
    const open = await send("ask", message("b", { contextId }));
    expect(idsOf((await list("ask", { status: "TASK_STATE_INPUT_REQUIRED", contextId })).tasks)).toEqual([open.id]);
    expect(idsOf((await list("ask", { status: "input-required" })).tasks)).toContain(done.id);
    expect((await list("ask", { status: "TASK_STATE_COMPLETED", contextId })).totalSize).toBe(0);
    expect((await list("ask", { status: "TASK_STATE_UNSPECIFIED", contextId })).totalSize).toBe(1);
    const at = open.status.timestamp;
    expect(idsOf((await list("ask", { statusTimestampAfter: at, contextId })).tasks)).toEqual([open.id]);
    const later = new Date(Date.parse(at) + 60_000).toISOString();
    expect((await list("ask", { statusTimestampAfter: later, contextId })).totalSize).toBe(0);
  });

  test("has working tasks, and only those of this assistant", async () => {
    const task = await startHalfway(a2a, gate);
    const { contextId } = task;
    expect((await list("halfway", { contextId })).tasks).toMatchObject([
      { id: task.id, status: { state: expect.stringMatching(/SUBMITTED|WORKING/) } },
    ]);
    await expect.poll(async () => (await list("halfway", { contextId, status: "working" })).totalSize).toBe(1);
    expect((await list("counts", { contextId })).totalSize).toBe(0);
  });

  test.each([
    ["pageSize", { pageSize: 0 }],
    ["pageSize", { pageSize: 101 }],
    ["historyLength", { historyLength: -1 }],
    ["status", { status: "lost" }],
    ["pageToken", { pageToken: "no token" }],
    ["pageToken", { pageToken: btoa("2026-01-01") }],
    ["statusTimestampAfter", { statusTimestampAfter: "yesterday" }],
  ])("names the wrong parameter %s in %j", async (field, params) => {
    const { error } = await request("counts", "ListTasks", params);
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining(field) });
  });

  test("exists as tasks/list too", async () => {
    const { contextId } = await send("counts", message("one"));
    const { result } = await request("counts", "tasks/list", { contextId });
    expect(z.object({ tasks: z.array(Task03) }).parse(result).tasks).toMatchObject([{ contextId }]);
  });
});
