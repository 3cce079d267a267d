import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isResting, type Part, type Task, type TaskUpdate } from "../../../lib/protocol/a2a.ts";
import { renderings } from "../../../lib/protocol/a2a-render.ts";
import type { RunEvent } from "../../../lib/protocol/stream.ts";
import { graphInterfaceOf, modesOf, streamModesOf, toRun } from "../../../lib/rules/a2a/message-to-run.ts";
import { foldEvent } from "../../../lib/rules/a2a/task-fold.ts";
import { Task03, Task10, Update03, Update10 } from "../../protocol/a2a-schemas.ts";
import { anyRun, play, playAnswer, stored, type Batch } from "./runs.ts";

const wire = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** Returns the task of a client that applies every update by the rules of the protocol. */
function applied(updates: readonly TaskUpdate[]): Task {
  let task: Task | undefined;
  for (const update of updates) {
    if (update.kind === "task") task = update.task;
    else if (!task) throw new Error("an update before the task");
    else if (update.kind === "status") {
      const before = task.status.message;
      task = { ...task, status: update.status, history: [...(task.history ?? []), ...(before ? [before] : [])] };
    } else {
      const known = task.artifacts?.find((one) => one.artifactId === update.artifact.artifactId);
      const { append } = update;
      if (append && !known) throw new Error("a piece of an artifact that is not there");
      const parts = append ? [...(known?.parts ?? []), ...update.artifact.parts] : update.artifact.parts;
      const artifact = { ...update.artifact, name: known?.name ?? update.artifact.name, parts };
      const others = task.artifacts ?? [];
      const artifacts = known ? others.map((one) => (one === known ? artifact : one)) : [...others, artifact];
      task = { ...task, artifacts };
    }
  }
  if (!task) throw new Error("no task");
  return task;
}

const isNoText = (part: Part): boolean => part.kind !== "text";

/** Joins pieces of text as a reader sees them. */
function joined(task: Task): Task {
  return {
    ...task,
    artifacts: task.artifacts?.map((artifact) => {
      const [first] = artifact.parts;
      if (first?.kind !== "text" || artifact.artifactId !== stored.artifact_id) return artifact;
      const text = artifact.parts.map((part) => (part.kind === "text" ? part.text : "")).join("");
      return { ...artifact, parts: [{ kind: "text" as const, text }, ...artifact.parts.filter(isNoText)] };
    }),
  };
}

/** Sorts the reply first: a client may receive it after other artifacts, but the task lists it first. */
function inOrder(task: Task): Task {
  return { ...task, artifacts: task.artifacts?.toSorted((a, b) => (a.artifactId < b.artifactId ? -1 : 1)) };
}

const law = (check: (batches: Batch[]) => void): void => fc.assert(fc.property(anyRun, check), { numRuns: 500 });

describe("any run", () => {
  it("emits the task first and exactly one last update, with the state in which the task rests", () => {
    law((batches) => {
      const { updates, task } = play(batches);
      expect(updates[0]?.kind).toBe("task");
      expect(updates.filter((update) => update.kind === "task").length).toBe(1);
      const last = updates.filter((update) => update.kind === "status" && update.last);
      expect(last).toEqual([updates.at(-1)]);
      expect(last[0]).toMatchObject({ status: task.status });
      expect(isResting(task.status.state)).toBe(true);
    });
  });

  it("goes from submitted to working to its end, and never leaves its end", () => {
    law((batches) => {
      const states = play(batches).updates.flatMap((update) => {
        if (update.kind === "artifact") return [];
        return [update.kind === "task" ? update.task.status.state : update.status.state];
      });
      expect(states[0]).toBe("submitted");
      const between = states.slice(1, -1);
      expect(between).toEqual(between.map(() => "working"));
      expect(states.at(-1)).not.toBe("submitted");
    });
  });

  it("leaves a client that applies every update with the task that a waiting call returns", () => {
    law((batches) => {
      const { updates, task } = play(batches);
      expect(joined(applied(updates))).toEqual(task);
    });
  });

  it("emits its reply as one artifact, and marks the last chunk of each artifact and no other", () => {
    law((batches) => {
      const all = play(batches).updates.filter((update) => update.kind === "artifact");
      const ids = [...new Set(all.map((piece) => piece.artifact.artifactId))];
      for (const id of ids) {
        const pieces = all.filter((piece) => piece.artifact.artifactId === id);
        expect(pieces.map((piece) => piece.lastChunk)).toEqual(pieces.map((_, index) => index === pieces.length - 1));
        expect(pieces[0]?.append).toBe(false);
        if (id !== stored.artifact_id) expect(pieces.length).toBe(1);
        else for (const { artifact } of pieces) expect(artifact.parts).not.toEqual([{ kind: "text", text: "" }]);
      }
    });
  });

  it("that answers an interrupted task updates the same task, and keeps its history", () => {
    const next = fc.tuple(anyRun, anyRun);
    fc.assert(
      fc.property(next, ([first, second]) => {
        const before = play(first);
        fc.pre(before.task.status.state === "input-required");
        const { updates, task } = playAnswer(before, second);
        expect(inOrder(joined(applied(updates)))).toEqual(inOrder(task));
        const history = before.task.history ?? [];
        expect(task.history?.slice(0, history.length)).toEqual(history);
        expect(task.history?.some((message) => message.messageId === "answer")).toBe(true);
        for (const update of updates) {
          expect(Update03.safeParse(wire(renderings["0.3"].update(update))).error).toBeUndefined();
          expect(Update10.safeParse(wire(renderings["1.0"].update(update))).error).toBeUndefined();
        }
      }),
      { numRuns: 100, maxSkipsPerRun: 100 },
    );
  });

  it("ends the same however its events are batched", () => {
    law((batches) => {
      const events = batches.flatMap((batch) => batch.events);
      const together = play([{ events, ms: 0 }]);
      const each = play(events.map((one) => ({ events: [one], ms: 0 })));
      expect(together.task).toEqual(each.task);
    });
  });

  it("is valid in both generations, with no key outside them", () => {
    law((batches) => {
      const { updates, task } = play(batches);
      const [v03, v10] = [renderings["0.3"], renderings["1.0"]];
      for (const update of updates) {
        expect(Update03.safeParse(wire(v03.update(update))).error).toBeUndefined();
        expect(Update10.safeParse(wire(v10.update(update))).error).toBeUndefined();
      }
      expect(Task03.safeParse(wire(v03.sent(task))).error).toBeUndefined();
      expect(Task10.safeParse(wire(v10.task(task))).error).toBeUndefined();
    });
  });

  it("ignores every event after its end", () => {
    law((batches) => {
      const { progress } = play(batches);
      const late: RunEvent[] = [
        { id: 99, event: "messages", data: '[{"type":"ai","content":"late","id":"l"},{}]' },
        { id: 100, event: "end", data: '{"status":"error"}' },
      ];
      expect(late.reduce((state, one) => foldEvent(state, one, stored.created_at), progress)).toBe(progress);
    });
  });
});

describe("the input of a graph", () => {
  const schema = (properties: Record<string, unknown>, required: string[] = []) => ({
    type: "object",
    properties,
    required,
  });
  const chat = graphInterfaceOf(schema({ messages: { type: "array" } }));
  const topic = graphInterfaceOf(schema({ topic: { type: "string" }, tone: { type: "string" } }, ["topic"]));
  const form = graphInterfaceOf(schema({ a: { type: "string" }, b: { type: "string" } }, ["a", "b"]));
  const unknown = graphInterfaceOf(null);
  const parts = (...list: unknown[]) => ({ messageId: "m", parts: list as never });
  const textPart = { kind: "text", text: "hi" };
  const data = { kind: "data", data: { topic: "cats" } };

  it("is derived from its schema, also from one that requires nothing", () => {
    const text = { type: "string" };
    expect([chat, topic, form, unknown].map((graphInterface) => graphInterface.takes)).toEqual([
      "messages",
      "text",
      "data",
      "unknown",
    ]);
    expect(graphInterfaceOf(schema({ topic: text, n: { type: "number" } }))).toEqual({
      takes: "text",
      property: "topic",
    });
    expect([schema({ a: text, b: text }), schema({ n: {} })].map((one) => graphInterfaceOf(one).takes)).toEqual([
      "data",
      "data",
    ]);
    for (const any of [undefined, 1, "a", [], {}, { properties: null }])
      expect(graphInterfaceOf(any).takes).toBe("unknown");
  });

  it("is one message of the user, with the message's id", () => {
    expect(toRun(parts(textPart, textPart), chat)).toEqual({
      ok: true,
      input: { messages: [{ role: "user", content: "hi\nhi", id: "m" }] },
    });
    expect(toRun(parts(textPart, data), chat)).toMatchObject({
      input: { messages: [{ content: 'hi\n{"topic":"cats"}' }] },
    });
  });

  it("is the one text property that the graph needs, or the data part itself", () => {
    expect(toRun(parts(textPart), topic)).toEqual({ ok: true, input: { topic: "hi" } });
    expect(toRun(parts(data), topic)).toEqual({ ok: true, input: { topic: "cats" } });
    expect(toRun(parts(data), form)).toEqual({ ok: true, input: { topic: "cats" } });
  });

  it("has both forms when the schema is unknown", () => {
    expect(toRun(parts(data), unknown)).toMatchObject({ input: { topic: "cats", messages: [{ id: "m" }] } });
    expect(toRun(parts(textPart), unknown)).toMatchObject({ input: { messages: [{ content: "hi" }] } });
  });

  it.each([
    ["text for a form", form, [textPart]],
    ["two data parts for a form", form, [data, data]],
    ["text with data for one text", topic, [textPart, data]],
    ["data that is no object", form, [{ kind: "data", data: [1] }]],
  ])("is not %s", (_, graphInterface, list) => {
    expect(toRun(parts(...list), graphInterface)).toMatchObject({ ok: false, because: "invalid" });
  });

  it.each([
    ["files by content", { kind: "bytes", bytes: "AA==", mediaType: "text/plain" }],
    ["files by address", { kind: "url", url: "https://a" }],
    ["text of a foreign type", { kind: "text", text: "a", mediaType: "application/x-unsupported" }],
    ["data of a foreign type", { kind: "data", data: {}, mediaType: "application/x-unsupported" }],
  ])("takes no %s", (_, part) => {
    expect(toRun(parts(textPart, part), chat)).toMatchObject({ ok: false, because: "content_type" });
  });

  it("accepts any text type, and JSON under each of its media types", () => {
    for (const mediaType of ["text/markdown", "text/plain; charset=utf-8", "application/json", "application/x+json"]) {
      expect(toRun(parts({ ...textPart, mediaType }), chat).ok, mediaType).toBe(true);
    }
  });

  it("decides the stream modes of the run", () => {
    expect(streamModesOf(chat, false)).toEqual(["updates"]);
    expect(streamModesOf(chat, true)).toEqual(["messages-tuple", "updates"]);
    expect(streamModesOf(form, true)).toEqual(["values"]);
    expect(streamModesOf(unknown, true)).toEqual(["messages-tuple", "values"]);
    expect(modesOf(form).input).toEqual(["application/json"]);
  });
});
