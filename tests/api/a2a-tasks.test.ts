/** The life of tasks beyond one message: contexts, lists, cancelling, listening again, going on. */
import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import * as z from "zod";
import { Task03, Task10, Update03, Update10 } from "../protocol/a2a-schemas.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { rawA2a, results } from "./a2a-raw.ts";
import { halves } from "./apps/a2a/graphs.mjs";
import { type Gate, openGate } from "./gate.ts";

const APP = resolve(import.meta.dirname, "apps/a2a");

let server: TestServer;
let gate: Gate;
beforeAll(async () => {
  server = await startServer({ app: APP });
});
afterAll(() => server.stop());
beforeEach(async () => {
  gate = await openGate();
});
afterEach(() => gate.close());

const a2a = rawA2a(() => server);
const { ask, send, get } = a2a;
const text = (words: string) => [{ kind: "text", text: words }];
const message = (words: string, more: object = {}) => ({ message: { parts: text(words), ...more } });
const replyOf = (task: Task03): unknown => task.artifacts?.[0]?.parts[0];
const atWork = async (): Promise<Task03> => {
  const task = await send("halfway", { ...message(gate.url), configuration: { blocking: false } });
  await gate.reached();
  return task;
};

const List10 = z.strictObject({
  tasks: z.array(Task10),
  nextPageToken: z.string(),
  pageSize: z.int(),
  totalSize: z.int(),
});
const list = async (graph: string, params: object) => List10.parse((await ask(graph, "ListTasks", params)).result);
const idsOf = (tasks: readonly { id: string }[]) => tasks.map(({ id }) => id);

describe("a context", () => {
  test.each([
    ["a UUID", () => randomUUID()],
    ["any string", () => `order 66 / ${randomUUID()} ü`],
  ])("that the client names by %s remembers what was said in it", async (_, newId) => {
    const contextId = newId();
    const first = await send("counts", message("one", { contextId }));
    const second = await send("counts", message("two", { contextId }));
    expect([replyOf(first), replyOf(second)]).toMatchObject([{ text: "1: one" }, { text: "2: one, two" }]);
    expect([first.contextId, second.contextId]).toEqual([contextId, contextId]);
    expect(second.id).not.toBe(first.id);
    expect(replyOf(await send("counts", message("one")))).toMatchObject({ text: "1: one" });
  });

  test("that the server made goes on by its id, or by its finished task in v0.3", async () => {
    const { id: taskId, contextId } = await send("counts", message("one"));
    expect(replyOf(await send("counts", message("two", { contextId })))).toMatchObject({ text: "2: one, two" });
    const third = await send("counts", message("three", { taskId }));
    expect(third).toMatchObject({ contextId });
    expect(replyOf(third)).toMatchObject({ text: "3: one, two, three" });
  });

  test("is another with every assistant", async () => {
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

  test("is a thread that the whole API knows", async () => {
    const { contextId } = await send("counts", message("one"));
    const thread = await fetch(`${server.url}/threads/${contextId}`);
    expect(await thread.json()).toMatchObject({ thread_id: contextId, metadata: { graph_id: "counts" } });
  });
});

describe("a list", () => {
  test("has the newest first, in pages that hold every task once, without artifacts unless they are asked for", async () => {
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

  test("is narrowed by state and time, in either generation's words", async () => {
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

  test("has tasks that are at work, and those of this assistant only", async () => {
    const task = await atWork();
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
  ])("says that %s is wrong in %j", async (field, params) => {
    const { error } = await ask("counts", "ListTasks", params);
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining(field) });
  });

  test("is there under v0.3's kind of name too", async () => {
    const { contextId } = await send("counts", message("one"));
    const { result } = await ask("counts", "tasks/list", { contextId });
    expect(z.object({ tasks: z.array(Task03) }).parse(result).tasks).toMatchObject([{ contextId }]);
  });
});

describe("a task that is cancelled", () => {
  test("while it works is canceled for who asked and for all who listen", async () => {
    const task = await atWork();
    const listening = await a2a.stream("halfway", "tasks/resubscribe", { id: task.id });
    const cancelled = Task03.parse((await ask("halfway", "tasks/cancel", { id: task.id })).result);
    expect(cancelled).toMatchObject({ id: task.id, status: { state: "canceled" } });
    expect(results(await listening.end()).at(-1)).toMatchObject({ status: { state: "canceled" }, final: true });
    expect(await get("halfway", task.id)).toMatchObject({ status: { state: "canceled" } });
    const again = await ask("halfway", "CancelTask", { id: task.id });
    expect(again.error).toMatchObject({ code: -32002, data: [{ reason: "TASK_NOT_CANCELABLE" }] });
  });

  test("before its turn never begins", async () => {
    const first = await atWork();
    const { contextId } = first;
    const second = await send("halfway", {
      ...message(gate.url, { contextId }),
      configuration: { blocking: false },
    });
    expect(second.status.state).toBe("submitted");
    expect(Task10.parse((await ask("halfway", "CancelTask", { id: second.id })).result).status.state).toBe(
      "TASK_STATE_CANCELED",
    );
    gate.open();
    await expect.poll(async () => (await get("halfway", first.id)).status.state).toBe("completed");
  });

  test("while it waits for a person takes no answer any more, and its context goes on", async () => {
    const asking = await send("ask", message("hello"));
    const { id: taskId, contextId } = asking;
    expect(Task03.parse((await ask("ask", "tasks/cancel", { id: taskId })).result).status.state).toBe("canceled");
    const strict = await ask("ask", "SendMessage", {
      message: { messageId: "m", role: "ROLE_USER", taskId, parts: [{ text: "yes" }] },
    });
    expect(strict.error?.code).toBe(-32004);
    expect(await send("ask", message("again", { contextId }))).toMatchObject({ status: { state: "input-required" } });
  });

  test("is unknown to every other assistant", async () => {
    const { id } = await send("counts", message("one"));
    for (const method of ["tasks/cancel", "CancelTask", "SubscribeToTask", "tasks/get"]) {
      expect((await ask("loop", method, { id })).error?.code).toBe(-32001);
    }
  });
});

describe("who listens again", () => {
  test("gets the task as it stands and then all the rest, as everybody else does", async () => {
    const task = await atWork();
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

  test("to a task that waits is told so and let go", async () => {
    const { id } = await send("ask", message("hello"));
    const events = results(await (await a2a.stream("ask", "tasks/resubscribe", { id })).end());
    expect(events.map((event) => Update03.parse(event))).toMatchObject([
      { kind: "task", status: { state: "input-required" } },
      { kind: "status-update", status: { state: "input-required" }, final: true },
    ]);
  });

  test("to a task that is over gets it in v0.3, and an error in v1.0", async () => {
    const { id } = await send("counts", message("one"));
    const events = results(await (await a2a.stream("counts", "tasks/resubscribe", { id })).end());
    expect(events).toMatchObject([{ kind: "task" }, { kind: "status-update", final: true }]);
    const { error } = await ask("counts", "SubscribeToTask", { id });
    expect(error).toMatchObject({ code: -32004, data: [{ reason: "UNSUPPORTED_OPERATION" }] });
  });

  test("to no task reads an error: in the stream where v0.3 clients look for it", async () => {
    const id = randomUUID();
    const [event] = results(await (await a2a.stream("counts", "tasks/resubscribe", { id })).end());
    expect(event).toMatchObject({ id: 5, error: { code: -32001 } });
    expect((await ask("counts", "SubscribeToTask", { id })).error?.code).toBe(-32001);
  });
});

describe("an answer", () => {
  const asking = () => send("ask", message("hello"));
  const reply = (task: Task03) => replyOf(task);

  test.each([
    ["text", text("yes"), "You said yes"],
    ["a data part's resume", [{ kind: "data", data: { resume: "yes" } }], "You said yes"],
    ["a data part", [{ kind: "data", data: "yes" }], "You said yes"],
  ])("is %s", async (_, parts, said) => {
    const { id: taskId } = await asking();
    const done = await send("ask", { message: { parts, taskId } });
    expect(done).toMatchObject({ id: taskId, status: { state: "completed" } });
    expect(reply(done)).toEqual({ kind: "text", text: said });
    expect(await get("ask", taskId)).toEqual(done);
  });

  test("finds the one task of its context that waits", async () => {
    const { id, contextId } = await asking();
    expect(await send("ask", message("yes", { contextId }))).toMatchObject({ id, status: { state: "completed" } });
  });

  test("may stream", async () => {
    const { id: taskId } = await asking();
    const events = results(await (await a2a.stream("ask", "message/stream", message("yes", { taskId }))).end());
    expect(events.map((event) => Update03.parse(event))).toMatchObject([
      { kind: "task", id: taskId, status: { state: "submitted" } },
      { kind: "status-update", status: { state: "working" } },
      { kind: "artifact-update", artifact: { parts: [{ text: "You said yes" }] }, lastChunk: true },
      { kind: "status-update", status: { state: "completed" }, final: true },
    ]);
  });

  test("given twice at once counts once", async () => {
    const { id: taskId } = await asking();
    const answers = await Promise.all(
      ["one", "two", "three"].map((word) => ask("ask", "message/send", message(word, { taskId }))),
    );
    expect(answers.map(({ error }) => error?.code ?? 0).toSorted((a, b) => a - b)).toEqual([-32004, -32004, 0]);
  });

  test("to several questions names them", async () => {
    const task = await send("both", message("hello"));
    const { id: taskId } = task;
    expect(task.status.state).toBe("input-required");
    const { error } = await ask("both", "message/send", message("Lancelot", { taskId }));
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining("2 questions") });
    const part = task.status.message?.parts[1];
    const interrupts = (part?.kind === "data" ? part.data.interrupts : []) as { id: string; value: string }[];
    const resume = Object.fromEntries(
      interrupts.map(({ id, value }) => [id, value.includes("name") ? "Lancelot" : "the Grail"]),
    );
    expect(await send("both", { message: { parts: [{ kind: "data", data: { resume } }], taskId } })).toMatchObject({
      id: taskId,
      status: { state: "completed" },
    });
  });

  test("of two resumes is refused, and the task still waits", async () => {
    const { id: taskId } = await asking();
    const parts = [1, 2].map((resume) => ({ kind: "data", data: { resume } }));
    expect((await ask("ask", "message/send", { message: { parts, taskId } })).error?.code).toBe(-32602);
    expect((await get("ask", taskId)).status.state).toBe("input-required");
  });
});

describe("what a graph says of its task", () => {
  test.each(["rejected", "failed", "input-required"])("%s counts", async (state) => {
    const task = await send("decides", message(state));
    expect(task.status).toMatchObject({ state, message: { parts: [{ text: `I say ${state}` }] } });
  });

  test("may be that it waits: the next message goes on with it", async () => {
    const { id: taskId } = await send("decides", message("input-required"));
    const done = await send("decides", message("nothing", { taskId }));
    expect(done).toMatchObject({ id: taskId, status: { state: "completed" } });
    expect(replyOf(done)).toMatchObject({ text: "I say nothing" });
  });

  test("is otherwise nothing", async () => {
    expect((await send("decides", message("canceled"))).status.state).toBe("completed");
  });
});

describe("files and data", () => {
  const png = { kind: "file", file: { bytes: "iVBORw0KGgo=", mimeType: "image/png", name: "a.png" } };

  test("of a graph come out beside its reply and as artifacts of their own, those of this task only", async () => {
    const first = await send("papers", message("hello"));
    const [reply, report, row] = first.artifacts ?? [];
    expect(reply).toMatchObject({
      name: "reply",
      parts: [{ text: "Got text" }, { kind: "file", file: { mimeType: "image/png" } }],
    });
    expect(report).toMatchObject({ name: "report", description: "All of it", parts: [{ text: "About 1" }] });
    expect(row).toMatchObject({ parts: [{ kind: "data", data: { title: "a row", n: 1 } }] });
    const second = await send("papers", message("again", { contextId: first.contextId }));
    expect(second.artifacts?.slice(1)).toMatchObject([
      { parts: [{ text: "About 3" }] },
      { parts: [{ data: { n: 3 } }] },
    ]);
    expect(await get("papers", second.id)).toEqual(second);
  });

  test("stream as artifacts of their own", async () => {
    const events = results(
      await (
        await a2a.stream("papers", "SendStreamingMessage", {
          message: { messageId: "m", role: "ROLE_USER", parts: [{ text: "hello" }] },
        })
      ).end(),
    ).map((event) => Update10.parse(event));
    const artifacts = events.flatMap((event) => ("artifactUpdate" in event ? [event.artifactUpdate] : []));
    expect(artifacts.map(({ artifact, lastChunk }) => [artifact.name, lastChunk])).toEqual([
      ["reply", true],
      ["report", true],
      [undefined, true],
    ]);
  });

  test("of a person reach a graph that takes them, as content blocks", async () => {
    const pdf = { kind: "file", file: { uri: "https://example.com/a.pdf", mimeType: "application/pdf" } };
    const task = await send("papers", { message: { parts: [...text("look"), png, pdf] } });
    expect(replyOf(task)).toMatchObject({ text: "Got text image_url file" });
  });

  test("are refused where the assistant does not take them", async () => {
    for (const [graph, part] of [
      ["counts", png],
      ["papers", { kind: "file", file: { bytes: "aGk=", mimeType: "video/mp4" } }],
      ["papers", { kind: "file", file: { bytes: "aGk=" } }],
    ] as const) {
      const { error } = await ask(graph, "message/send", { message: { parts: [part] } });
      expect(error).toMatchObject({ code: -32005, message: expect.stringContaining("does not take files") });
    }
    const { error } = await ask("papers", "message/send", {
      message: { parts: [{ kind: "file", file: { bytes: "no base64!", mimeType: "image/png" } }] },
    });
    expect(error?.code).toBe(-32602);
  });
});

test("a server that is killed in the middle of a task loses nothing of it", async () => {
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
