/** Tests tasks with the official A2A client for Python: sent, streamed, read, answered and refused. */
import { resolve } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { useServer } from "../support/use-server.ts";
import { reply } from "./apps/a2a/graphs.mjs";
import { content, describeClients, joined, states, type Thrown, summary, type WireTask } from "./python-clients.ts";

const own = useServer();
const app = useServer({ app: resolve(import.meta.dirname, "apps/a2a") });

type Stream = unknown[];
interface Page {
  tasks: WireTask[];
  totalSize: number;
  nextPageToken: string;
}
/** The output of `python/a2a_tasks.py`. */
interface TasksOutput {
  echo: {
    sent: WireTask;
    found: WireTask;
    without_history: WireTask;
    sent_without_history: WireTask;
    streamed: Stream;
    ended: Thrown;
  };
  at_once: { sent: Record<string, WireTask>; streamed: Record<string, Stream> };
  tools: WireTask;
  words: WireTask;
  words_streamed: Stream;
  loop_streamed: Stream;
  failed: WireTask;
  failed_streamed: Stream;
  approval: { asked: WireTask; streamed: Stream; approved: WireTask };
  questions: { by_stream: Stream; again: WireTask; by_context: WireTask; two: WireTask; by_data: WireTask };
  contexts: { first: WireTask; second: WireTask; listed?: { page: Page; rest: Page; failed: Page } };
  parts: { files: WireTask; streamed: Stream; refused: Thrown; data: WireTask; one_text: WireTask };
  errors: Record<string, Thrown> & { canceled: WireTask };
}

describeClients(({ version, protocol, named, run }) => {
  let output: TasksOutput;
  beforeAll(async () => {
    output = (await run("a2a_tasks", { own: own.url, app: app.url })) as TasksOutput;
  });

  test("sends a message, and a later get returns the same task", () => {
    const { sent, found } = output.echo;
    expect(summary(sent)).toMatchObject({ state: "completed", reply: "two\nlines and ünïcödé 🙂" });
    expect(sent.contextId).toMatch(/^my context /);
    expect(found).toEqual(sent);
  });

  test("receives as much of the history as it requests", () => {
    const { sent, without_history, sent_without_history } = output.echo;
    expect(sent.history?.map(({ parts }) => parts.map(content))).toEqual([["two\nlines and ünïcödé 🙂"]]);
    expect(without_history).toEqual({ ...sent, history: undefined });
    expect(sent_without_history).not.toHaveProperty("history");
  });

  test("streams the task, its state working, the reply and its end", () => {
    expect(states(output.echo.streamed)).toEqual(["submitted", "working", "artifact", "completed"]);
    expect(joined(output.echo.streamed)).toBe("hello");
  });

  test("streams a long reply in chunks that join to the whole", () => {
    expect(summary(output.words).reply).toBe(reply);
    expect(joined(output.words_streamed)).toBe(reply);
    expect(output.words_streamed.length).toBeGreaterThan(4);
    if (named) return;
    // This client assembles the task itself.
    const { held } = output.words_streamed.at(-1) as { held: WireTask };
    expect(held.artifacts?.[0]?.parts.map(content).join("")).toBe(reply);
  });

  test("receives text that comes before a tool call, and the last text as the reply", () => {
    expect(summary(output.tools)).toMatchObject({ state: "completed", reply: expect.stringContaining("84") });
    expect(states(output.loop_streamed)).toEqual(["submitted", "working", "working", "artifact", "completed"]);
    expect(joined(output.loop_streamed)).toBe("It is 4.");
  });

  test("receives a failure as a failed task, with one line", () => {
    expect(summary(output.failed)).toMatchObject({ state: "failed", statusText: "RangeError: kaput" });
    expect(states(output.failed_streamed).at(-1)).toBe("failed");
  });

  test("sends ten messages at once, and each gets its own reply", () => {
    const { sent, streamed } = output.at_once;
    expect(Object.entries(sent).map(([text, task]) => summary(task).reply === text)).toEqual(Array(10).fill(true));
    expect(Object.entries(streamed).map(([text, one]) => joined(one) === text)).toEqual(Array(10).fill(true));
  });

  test("receives the question of a graph that needs approval, and the task continues with the answer", () => {
    const { asked, streamed, approved } = output.approval;
    const statusText = expect.stringContaining("Shall I send this message?");
    expect(summary(asked)).toMatchObject({ state: "input-required", statusText });
    expect(states(streamed)).toEqual(["submitted", "working", "input-required"]);
    expect(summary(approved)).toMatchObject({
      id: asked.id,
      state: "completed",
      reply: expect.stringMatching(/^Approved/),
    });
  });

  test("answers by a stream, by the context alone, and several questions by data", () => {
    const { by_stream, again, by_context, two, by_data } = output.questions;
    expect(states(by_stream)).toEqual(["submitted", "working", "artifact", "completed"]);
    expect(joined(by_stream)).toBe("You said yes");
    expect(summary(by_context)).toMatchObject({ id: again.id, state: "completed", reply: "You said no" });
    expect(summary(two).statusText).toBe("What is your name?\n\nWhat is your quest?");
    expect(summary(by_data)).toMatchObject({ id: two.id, state: "completed", reply: "quest: answer 1" });
  });

  test("sends two messages of one context, which are one conversation in two tasks", () => {
    const { first, second } = output.contexts;
    expect([summary(first).reply, summary(second).reply]).toEqual(["1: one", "2: one, two"]);
    expect(second.contextId).toBe(first.contextId);
    expect(second.id).not.toBe(first.id);
  });

  test.runIf(protocol === "1.0")("lists the tasks of a context by pages, the newest first", () => {
    const { first, second, listed } = output.contexts;
    const ids = (page?: Page) => [page?.totalSize, page?.tasks.map(({ id }) => id), page?.nextPageToken === ""];
    expect(ids(listed?.page)).toEqual([2, [second.id], false]);
    expect(ids(listed?.rest)).toEqual([2, [first.id], true]);
    expect(ids(listed?.failed)).toEqual([0, [], true]);
    expect(summary(listed?.page.tasks[0]).reply).toBe("2: one, two");
    expect(listed?.rest.tasks[0]?.artifacts).toEqual([]);
  });

  test("sends files and data to the graph, and receives them from it", () => {
    const { files, streamed, data, one_text } = output.parts;
    const picture = { bytes: "iVBORw0KGgo=", type: "image/png" };
    expect(files.artifacts?.map(({ name, parts }) => [name, parts.map(content)])).toEqual([
      ["reply", ["Got text image_url file", picture]],
      ["report", ["About 1"]],
      [undefined, [{ data: { title: "a row", n: 1 } }]],
    ]);
    expect(files.history?.[0]?.parts.map(content)).toEqual([
      "Read this",
      picture,
      { uri: "https://example.com/paper.pdf", type: "application/pdf" },
    ]);
    expect(streamed).toHaveLength(6);
    expect(summary(data).reply).toEqual({ city: "Bern", country: "CH", greeting: "Hello Bern, CH" });
    expect(summary(one_text).reply).toEqual({ topic: "cats", title: "CATS" });
  });

  const errors: [string, string, number][] = [
    ["get", "TaskNotFoundError", -32001],
    ["cancel", "TaskNotFoundError", -32001],
    ["send", "TaskNotFoundError", -32001],
    ["stream", "TaskNotFoundError", -32001],
    ["subscribe", "TaskNotFoundError", -32001],
    ["of_another_agent", "TaskNotFoundError", -32001],
    ["history", "InvalidParamsError", -32602],
    ["no_parts", "InvalidParamsError", -32602],
    ["no_parts_streamed", "InvalidParamsError", -32602],
    ["other_context", "InvalidParamsError", -32602],
    ["no_pushes", "PushNotificationNotSupportedError", -32003],
    ["canceled_twice", "TaskNotCancelableError", -32002],
  ];

  /** 0.3.26 has one exception for all errors, which holds the code. */
  const thrown = (type: string, code: number) => ({ type: named ? type : "A2AClientJSONRPCError", code });

  test.each(errors)("throws a specific exception where '%s' is refused: %s", (call, type, code) => {
    expect(output.errors[call]).toMatchObject(thrown(type, code));
  });

  test("throws when it cancels an ended task, or sends a file of an unsupported type", () => {
    expect(output.echo.ended).toMatchObject(thrown("TaskNotCancelableError", -32002));
    expect(output.parts.refused).toMatchObject(thrown("ContentTypeNotSupportedError", -32005));
  });

  test.runIf(named && protocol === "1.0")("reads from an error which task it is about", () => {
    expect(output.errors.canceled_twice?.about).toEqual({ taskId: output.errors.canceled.id });
  });

  test("cancels a task that waits for input", () => {
    expect(summary(output.errors.canceled).state).toBe("canceled");
  });

  test(`an ended task ${protocol === "1.0" ? "takes no message" : "is followed by another one"}`, () => {
    const { after_its_end: sent, subscribed_after_its_end: subscribed } = output.errors;
    if (protocol === "1.0") {
      expect([sent, subscribed]).toMatchObject([
        { type: "UnsupportedOperationError", code: -32004 },
        { type: "UnsupportedOperationError", code: -32004 },
      ]);
      return;
    }
    expect(summary(sent?.answer)).toMatchObject({ state: "completed", reply: "more" });
    expect([version, states(subscribed?.answer as Stream)]).toEqual([version, ["completed", "completed"]]);
  });
});
