import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { a2aError, type Dialect, type Part, type Task, type TaskUpdate } from "../../../lib/protocol/a2a.ts";
import { renderings } from "../../../lib/protocol/a2a-render.ts";
import { invalidParams } from "../../../lib/protocol/jsonrpc.ts";
import {
  readFailure,
  readFrame,
  readTask,
  stateNamed,
  taskStates,
  textOfParts,
} from "../../../lib/rules/a2a/read-response.ts";

const id = fc.uuid();
const part: fc.Arbitrary<Part> = fc.oneof(
  fc.record({ kind: fc.constant("text" as const), text: fc.string({ minLength: 1 }) }),
  fc.record({ kind: fc.constant("data" as const), data: fc.dictionary(fc.string(), fc.jsonValue()) }),
  fc.record({ kind: fc.constant("url" as const), url: fc.webUrl(), name: fc.string(), mediaType: fc.string() }),
  fc.record({ kind: fc.constant("bytes" as const), bytes: fc.constant("aGk="), name: fc.string({ minLength: 1 }) }),
);
const parts = fc.array(part, { minLength: 1, maxLength: 3 });
const message = fc.record({ messageId: id, role: fc.constantFrom("user" as const, "agent" as const), parts });
const state = fc.constantFrom(...taskStates);
const timestamp = fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
const task: fc.Arbitrary<Task> = fc.record({
  id,
  contextId: id,
  status: fc.record({ state, timestamp, message }, { requiredKeys: ["state", "timestamp"] }),
  artifacts: fc.array(fc.record({ artifactId: id, name: fc.string({ minLength: 1 }), parts }), { maxLength: 2 }),
  history: fc.array(message, { maxLength: 3 }),
});
const wire = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const dialects: readonly Dialect[] = ["0.3", "1.0"];

describe("the response of an agent", () => {
  it("is read alike for a task of either generation", () => {
    fc.assert(
      fc.property(task, (one) => {
        const [old, now] = dialects.map((dialect) => readTask(wire(renderings[dialect].task(one))));
        expect(now).toEqual(old);
        expect(now).toMatchObject({ id: one.id, contextId: one.contextId, state: one.status.state });
        expect(now?.history.map(({ who }) => who)).toEqual(
          one.history?.map(({ role }) => (role === "user" ? "person" : "agent")),
        );
      }),
    );
  });

  it("gives task, context and state of every update alike, in either generation", () => {
    const update: fc.Arbitrary<TaskUpdate> = fc.oneof(
      task.map((one) => ({ kind: "task" as const, task: one })),
      task.map(({ id: taskId, contextId, status }) => ({
        kind: "status" as const,
        taskId,
        contextId,
        status,
        last: true,
      })),
    );
    fc.assert(
      fc.property(update, (one) => {
        const [old, now] = dialects.map((dialect) => readFrame({ result: wire(renderings[dialect].update(one)) }));
        expect(now).toEqual(old);
        const { state: sent } = one.kind === "task" ? one.task.status : one.kind === "status" ? one.status : {};
        expect(now?.state).toBe(sent);
        expect(now?.taskId).toBe(one.kind === "task" ? one.task.id : one.taskId);
      }),
    );
  });

  it("to a send is a task in both generations, wrapped or not", () => {
    fc.assert(
      fc.property(task, fc.constantFrom(...dialects), (one, dialect) => {
        const frame = readFrame({ result: wire(renderings[dialect].sent(one)) });
        expect(frame).toMatchObject({ kind: "task", taskId: one.id, contextId: one.contextId });
      }),
    );
  });

  it("may be any JSON, and reading it never throws", () => {
    const odd = fc.oneof(fc.jsonValue(), fc.record({ result: fc.jsonValue(), error: fc.jsonValue() }));
    fc.assert(
      fc.property(odd, (value) => {
        readTask(value);
        expect(typeof readFrame(value).kind).toBe("string");
        expect(typeof textOfParts(value)).toBe("string");
      }),
    );
  });

  it("may be an error, read with its reason or the names of the wrong members", () => {
    const error = a2aError("TASK_NOT_FOUND", { metadata: { taskId: "t" } });
    expect(readFrame({ error }).failure).toEqual({
      code: -32001,
      message: "Task not found",
      reason: "TASK_NOT_FOUND",
      fields: [],
    });
    const wrong = readFailure(invalidParams([{ field: "message.parts", description: "required" }]));
    expect(wrong?.fields).toEqual(["message.parts: required"]);
  });
});

describe("the state of a task", () => {
  it("has one name here and one in each generation; other names are unknown", () => {
    for (const one of taskStates) {
      expect(stateNamed(one)).toBe(one);
      expect(stateNamed(`TASK_STATE_${one.toUpperCase().replaceAll("-", "_")}`)).toBe(one);
    }
    for (const other of ["unknown", "TASK_STATE_UNSPECIFIED", "constructor", "", 5, undefined]) {
      expect(stateNamed(other)).toBeUndefined();
    }
  });
});

describe("a task that waits", () => {
  it("is read with its question as text and its interrupts apart", () => {
    const interrupts = [{ id: "i", value: { question: "Send it?" } }];
    const question = { parts: [{ text: "Send it?" }, { data: { interrupts } }] };
    const read = readTask({ id: "t", status: { state: "TASK_STATE_INPUT_REQUIRED", message: question } });
    expect(read).toMatchObject({ says: "Send it?", interrupts, state: "input-required" });
  });
});
