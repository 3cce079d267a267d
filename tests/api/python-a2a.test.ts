/** Tasks by the official A2A client for Python: sent, streamed, looked up, answered, and what is refused. */
import { resolve } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { useServer } from "../support/use-server.ts";
import { reply } from "./apps/a2a/graphs.mjs";
import { content, describeClients, pieced, states, type Thrown, told, type WireTask } from "./python-clients.ts";

const own = useServer();
const app = useServer({ app: resolve(import.meta.dirname, "apps/a2a") });

type Stream = unknown[];
interface Page {
  tasks: WireTask[];
  totalSize: number;
  nextPageToken: string;
}
/** What `python/a2a_tasks.py` prints. */
interface Seen {
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
  let seen: Seen;
  beforeAll(async () => {
    seen = (await run("a2a_tasks", { own: own.url, app: app.url })) as Seen;
  });

  test("sends, and looks the task up with the same answer", () => {
    const { sent, found } = seen.echo;
    expect(told(sent)).toMatchObject({ state: "completed", reply: "two\nlines and ünïcödé 🙂" });
    expect(sent.contextId).toMatch(/^my context /);
    expect(found).toEqual(sent);
  });

  test("gets as much of the history as it asks for", () => {
    const { sent, without_history, sent_without_history } = seen.echo;
    expect(sent.history?.map(({ parts }) => parts.map(content))).toEqual([["two\nlines and ünïcödé 🙂"]]);
    expect(without_history).toEqual({ ...sent, history: undefined });
    expect(sent_without_history).not.toHaveProperty("history");
  });

  test("streams a task, its work, the reply and its end", () => {
    expect(states(seen.echo.streamed)).toEqual(["submitted", "working", "artifact", "completed"]);
    expect(pieced(seen.echo.streamed)).toBe("hello");
  });

  test("gets a long reply in pieces that make the whole", () => {
    expect(told(seen.words).reply).toBe(reply);
    expect(pieced(seen.words_streamed)).toBe(reply);
    expect(seen.words_streamed.length).toBeGreaterThan(4);
    if (named) return;
    // This client puts the task together by itself.
    const { held } = seen.words_streamed.at(-1) as { held: WireTask };
    expect(held.artifacts?.[0]?.parts.map(content).join("")).toBe(reply);
  });

  test("hears of tools that the agent uses, and gets the last text as the reply", () => {
    expect(told(seen.tools)).toMatchObject({ state: "completed", reply: expect.stringContaining("84") });
    expect(states(seen.loop_streamed)).toEqual(["submitted", "working", "working", "artifact", "completed"]);
    expect(pieced(seen.loop_streamed)).toBe("It is 4.");
  });

  test("hears of a failure as a task that failed, with one line", () => {
    expect(told(seen.failed)).toMatchObject({ state: "failed", says: "RangeError: kaput" });
    expect(states(seen.failed_streamed).at(-1)).toBe("failed");
  });

  test("each of many at once gets its own", () => {
    const { sent, streamed } = seen.at_once;
    expect(Object.entries(sent).map(([text, task]) => told(task).reply === text)).toEqual(Array(10).fill(true));
    expect(Object.entries(streamed).map(([text, one]) => pieced(one) === text)).toEqual(Array(10).fill(true));
  });

  test("is asked by a graph that wants approval, and the task goes on with the answer", () => {
    const { asked, streamed, approved } = seen.approval;
    const says = expect.stringContaining("Shall I send this message?");
    expect(told(asked)).toMatchObject({ state: "input-required", says });
    expect(states(streamed)).toEqual(["submitted", "working", "input-required"]);
    expect(told(approved)).toMatchObject({
      id: asked.id,
      state: "completed",
      reply: expect.stringMatching(/^Approved/),
    });
  });

  test("answers in a stream, by the context alone, and several questions by data", () => {
    const { by_stream, again, by_context, two, by_data } = seen.questions;
    expect(states(by_stream)).toEqual(["submitted", "working", "artifact", "completed"]);
    expect(pieced(by_stream)).toBe("You said yes");
    expect(told(by_context)).toMatchObject({ id: again.id, state: "completed", reply: "You said no" });
    expect(told(two).says).toBe("What is your name?\n\nWhat is your quest?");
    expect(told(by_data)).toMatchObject({ id: two.id, state: "completed", reply: "quest: answer 1" });
  });

  test("two messages of one context are one conversation in two tasks", () => {
    const { first, second } = seen.contexts;
    expect([told(first).reply, told(second).reply]).toEqual(["1: one", "2: one, two"]);
    expect(second.contextId).toBe(first.contextId);
    expect(second.id).not.toBe(first.id);
  });

  test.runIf(protocol === "1.0")("lists the tasks of a context by pages, the newest first", () => {
    const { first, second, listed } = seen.contexts;
    const ids = (page?: Page) => [page?.totalSize, page?.tasks.map(({ id }) => id), page?.nextPageToken === ""];
    expect(ids(listed?.page)).toEqual([2, [second.id], false]);
    expect(ids(listed?.rest)).toEqual([2, [first.id], true]);
    expect(ids(listed?.failed)).toEqual([0, [], true]);
    expect(told(listed?.page.tasks[0]).reply).toBe("2: one, two");
    expect(listed?.rest.tasks[0]?.artifacts).toEqual([]);
  });

  test("files and data arrive at the graph, and come from it", () => {
    const { files, streamed, data, one_text } = seen.parts;
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
    expect(told(data).reply).toEqual({ city: "Bern", country: "CH", greeting: "Hello Bern, CH" });
    expect(told(one_text).reply).toEqual({ topic: "cats", title: "CATS" });
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

  /** 0.3.26 has one exception for all, which holds the code. */
  const thrown = (type: string, code: number) => ({ type: named ? type : "A2AClientJSONRPCError", code });

  test.each(errors)("throws the exception of its own where '%s' is refused: %s", (call, type, code) => {
    expect(seen.errors[call]).toMatchObject(thrown(type, code));
  });

  test("throws where an ended task is cancelled, or gets a file of a type that the agent does not take", () => {
    expect(seen.echo.ended).toMatchObject(thrown("TaskNotCancelableError", -32002));
    expect(seen.parts.refused).toMatchObject(thrown("ContentTypeNotSupportedError", -32005));
  });

  test.runIf(named && protocol === "1.0")("learns from an error which task it is about", () => {
    expect(seen.errors.canceled_twice?.about).toEqual({ taskId: seen.errors.canceled.id });
  });

  test("cancels a task that waits for a person", () => {
    expect(told(seen.errors.canceled).state).toBe("canceled");
  });

  test(`an ended task ${protocol === "1.0" ? "takes no message" : "is followed by another one"}`, () => {
    const { after_its_end: sent, subscribed_after_its_end: subscribed } = seen.errors;
    if (protocol === "1.0") {
      expect([sent, subscribed]).toMatchObject([
        { type: "UnsupportedOperationError", code: -32004 },
        { type: "UnsupportedOperationError", code: -32004 },
      ]);
      return;
    }
    expect(told(sent?.answer)).toMatchObject({ state: "completed", reply: "more" });
    expect([version, states(subscribed?.answer as Stream)]).toEqual([version, ["completed", "completed"]]);
  });
});
