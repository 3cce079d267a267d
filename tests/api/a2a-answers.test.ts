/** Tests answers to the questions of a task, and the files and artifacts of its graph. */
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { Task03, Update03, Update10 } from "../protocol/a2a-schemas.ts";
import { useServer } from "../support/use-server.ts";
import { message, rawA2a, replyOf, results, text, v1Message } from "./a2a-raw.ts";

const APP = resolve(import.meta.dirname, "apps/a2a");

const server = useServer({ app: APP });

const a2a = rawA2a(() => server);
const { request, send, get } = a2a;

describe("an answer", () => {
  const interruptedTask = () => send("ask", message("hello"));
  const reply = (task: Task03) => replyOf(task);

  test.each([
    ["text", text("yes"), "You said yes"],
    ["a data part's resume", [{ kind: "data", data: { resume: "yes" } }], "You said yes"],
    ["a data part", [{ kind: "data", data: "yes" }], "You said yes"],
  ])("is %s", async (_, parts, expected) => {
    const { id: taskId } = await interruptedTask();
    const done = await send("ask", { message: { parts, taskId } });
    expect(done).toMatchObject({ id: taskId, status: { state: "completed" } });
    expect(reply(done)).toEqual({ kind: "text", text: expected });
    expect(await get("ask", taskId)).toEqual(done);
  });

  test("goes to the one task of its context that waits", async () => {
    const { id, contextId } = await interruptedTask();
    expect(await send("ask", message("yes", { contextId }))).toMatchObject({ id, status: { state: "completed" } });
  });

  test("can be streamed", async () => {
    const { id: taskId } = await interruptedTask();
    const events = results(await (await a2a.stream("ask", "message/stream", message("yes", { taskId }))).end());
    expect(events.map((event) => Update03.parse(event))).toMatchObject([
      { kind: "task", id: taskId, status: { state: "submitted" } },
      { kind: "status-update", status: { state: "working" } },
      { kind: "artifact-update", artifact: { parts: [{ text: "You said yes" }] }, lastChunk: true },
      { kind: "status-update", status: { state: "completed" }, final: true },
    ]);
  });

  test("sent three times at once is accepted once", async () => {
    const { id: taskId } = await interruptedTask();
    const answers = await Promise.all(
      // A message of v0.3 that comes when the task has ended starts another task.
      ["one", "two", "three"].map((word) =>
        request("ask", "SendMessage", { message: { ...v1Message, parts: [{ text: word }], taskId } }),
      ),
    );
    expect(answers.map(({ error }) => error?.code ?? 0).toSorted((a, b) => a - b)).toEqual([-32004, -32004, 0]);
  });

  test("to several questions must name them", async () => {
    const task = await send("both", message("hello"));
    const { id: taskId } = task;
    expect(task.status.state).toBe("input-required");
    const { error } = await request("both", "message/send", message("Lancelot", { taskId }));
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

  test("with two resumes is refused, and the task still waits", async () => {
    const { id: taskId } = await interruptedTask();
    const parts = [1, 2].map((resume) => ({ kind: "data", data: { resume } }));
    expect((await request("ask", "message/send", { message: { parts, taskId } })).error?.code).toBe(-32602);
    expect((await get("ask", taskId)).status.state).toBe("input-required");
  });
});

describe("the state that a graph sets for its task", () => {
  test.each(["rejected", "failed", "input-required"])("is the task's: %s", async (state) => {
    const task = await send("decides", message(state));
    expect(task.status).toMatchObject({ state, message: { parts: [{ text: `I say ${state}` }] } });
  });

  test("may be input-required, and the next message continues the task", async () => {
    const { id: taskId } = await send("decides", message("input-required"));
    const done = await send("decides", message("nothing", { taskId }));
    expect(done).toMatchObject({ id: taskId, status: { state: "completed" } });
    expect(replyOf(done)).toMatchObject({ text: "I say nothing" });
  });

  test("is ignored when it is none of those", async () => {
    expect((await send("decides", message("canceled"))).status.state).toBe("completed");
  });
});

describe("files and data", () => {
  const png = { kind: "file", file: { bytes: "iVBORw0KGgo=", mimeType: "image/png", name: "a.png" } };

  test("of a graph are artifacts beside its reply, only those of this task", async () => {
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

  test("are streamed as separate artifacts", async () => {
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

  test("of a user reach a graph that accepts them, as content blocks", async () => {
    const pdf = { kind: "file", file: { uri: "https://example.com/a.pdf", mimeType: "application/pdf" } };
    const task = await send("papers", { message: { parts: [...text("look"), png, pdf] } });
    expect(replyOf(task)).toMatchObject({ text: "Got text image_url file" });
  });

  test("are refused where the assistant does not accept them", async () => {
    for (const [graph, part] of [
      ["counts", png],
      ["papers", { kind: "file", file: { bytes: "aGk=", mimeType: "video/mp4" } }],
      ["papers", { kind: "file", file: { bytes: "aGk=" } }],
    ] as const) {
      const { error } = await request(graph, "message/send", { message: { parts: [part] } });
      expect(error).toMatchObject({ code: -32005, message: expect.stringContaining("does not take files") });
    }
    const { error } = await request("papers", "message/send", {
      message: { parts: [{ kind: "file", file: { bytes: "no base64!", mimeType: "image/png" } }] },
    });
    expect(error?.code).toBe(-32602);
  });
});
