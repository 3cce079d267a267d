import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  beginRun,
  beginTurn,
  foldEvent,
  foldEvents,
  type ParsedEvent,
  interruptsOf,
  partsOf,
  turnsOf,
} from "../../../lib/rules/threads/transcript.ts";

const id = fc.constantFrom("a1", "a2", "t1", "q1", "q0");
const call = fc.record({ id: fc.constantFrom("c1", "c2", ""), name: fc.constantFrom("add", ""), args: fc.string() });
const wire = fc.record(
  {
    id,
    type: fc.constantFrom("ai", "AIMessageChunk", "tool", "human"),
    content: fc.oneof(fc.string(), fc.array(fc.record({ type: fc.constant("text"), text: fc.string() }))),
    tool_call_id: fc.constantFrom("c1", "c2"),
    tool_call_chunks: fc.array(call, { maxLength: 2 }),
    status: fc.constantFrom("success", "error"),
  },
  { requiredKeys: ["type", "content"] },
);
const interrupt = fc.record({ id: fc.constantFrom("i1", "i2"), value: fc.jsonValue() });

const anyEvent = fc.oneof(
  fc.record({ event: fc.constant("metadata"), data: fc.record({ run_id: fc.uuid() }) }),
  fc.record({ event: fc.constant("messages"), data: fc.tuple(wire, fc.constant({})) }),
  fc.record({ event: fc.constant("values"), data: fc.record({ messages: fc.array(wire), count: fc.integer() }) }),
  fc.record({ event: fc.constant("values"), data: fc.record({ __interrupt__: fc.array(interrupt) }) }),
  fc.record({ event: fc.constant("updates"), data: fc.record({ __interrupt__: fc.array(interrupt) }) }),
  fc.record({ event: fc.constant("error"), data: fc.record({ error: fc.string(), message: fc.string() }) }),
  // Any value that another server may send.
  fc.record({ event: fc.string(), data: fc.jsonValue() }),
  fc.record({ event: fc.constantFrom("messages", "values", "updates", "error", "metadata"), data: fc.jsonValue() }),
);
const run = fc
  .array(anyEvent, { maxLength: 30 })
  .map((list) => list.map(({ event, data }, index): ParsedEvent => ({ id: index, event, data, at: index * 10 })));

const before = [beginTurn("q0", "earlier", [])];
const start = beginTurn("q1", "Hello?", before);

describe("fold of a run's events into a turn", () => {
  test("folding a then b is folding both at once", () => {
    fc.assert(
      fc.property(run, fc.nat(30), (events, cut) => {
        const [a, b] = [events.slice(0, cut), events.slice(cut)];
        expect(foldEvents(foldEvents(start, a), b)).toEqual(foldEvents(start, events));
      }),
    );
  });

  test("a replay of known events changes nothing, and returns the same object", () => {
    fc.assert(
      fc.property(run, fc.nat(30), (events, from) => {
        const turn = foldEvents(start, events);
        expect(foldEvents(turn, events.slice(from))).toBe(turn);
      }),
    );
  });

  test("a turn is plain JSON: stored and read again, it folds alike", () => {
    fc.assert(
      fc.property(run, fc.nat(30), (events, cut) => {
        const stored = JSON.parse(JSON.stringify(foldEvents(start, events.slice(0, cut))));
        expect(JSON.stringify(foldEvents(stored, events.slice(cut)))).toBe(JSON.stringify(foldEvents(start, events)));
      }),
    );
  });

  test("the chunks of one message join to its text, however it is cut", () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1 }), (pieces) => {
        const turn = foldEvents(
          start,
          pieces.map((content, index) => chunk(index, { id: "a1", type: "AIMessageChunk", content })),
        );
        expect(turn.messages.map((message) => message.text)).toEqual([pieces.join("")]);
      }),
    );
  });

  test("the chunks of a tool call's arguments join to its arguments, however they are cut", () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1 }), (pieces) => {
        const turn = foldEvents(
          start,
          pieces.map((args, index) => {
            const piece = index === 0 ? { index: 0, id: "c1", name: "add", args } : { index: 0, args };
            return chunk(index, { id: "a1", type: "ai", content: "", tool_call_chunks: [piece] });
          }),
        );
        expect(turn.messages[0]?.calls).toEqual([{ id: "c1", name: "add", args: pieces.join("") }]);
      }),
    );
  });

  test("no message of an earlier turn, nor the question, is part of the answer", () => {
    fc.assert(
      fc.property(run, (events) => {
        const ids = foldEvents(start, events).messages.map((message) => message.id);
        expect(ids.filter((one) => one === "q0" || one === "q1")).toEqual([]);
      }),
    );
  });

  test("the state replaces the chunks, and a later copy of its message adds nothing", () => {
    const pieces = [chunk(0, ai("a1", "Hel")), chunk(1, ai("a1", "lo")), chunk(2, ai("hidden", "{route}"))];
    const state = { id: 3, event: "values", data: { messages: [question, ai("a1", "Hello.")], topic: "greeting" } };
    const turn = foldEvents(start, [...pieces, state, chunk(4, ai("a1", "Hello."))]);
    expect(partsOf(turn, true)).toEqual([{ kind: "text", id: "a1", text: "Hello." }]);
    expect(turn.values).toEqual({ topic: "greeting" });
  });

  test("an interrupt that comes as update and as value is kept once", () => {
    const data = { __interrupt__: [{ id: "i1", value: { question: "Send?" } }] };
    const turn = foldEvents(start, [
      { id: 0, event: "values", data: { messages: [question], draft: "Dear" } },
      { id: 1, event: "updates", data },
      { id: 2, event: "values", data },
    ]);
    expect(turn.interrupts).toEqual([{ id: "i1", value: { question: "Send?" } }]);
    expect(turn.values).toEqual({ draft: "Dear" });
  });

  test("an error is kept as class and message, in whatever form it came", () => {
    const fold = (data: unknown) => foldEvent(start, { id: 0, event: "error", data }).error;
    expect(fold({ error: "RangeError", message: "kaput" })).toEqual({ error: "RangeError", message: "kaput" });
    expect(fold("Run not found")).toEqual({ error: "Error", message: "Run not found" });
    expect(fold(null)).toEqual({ error: "Error", message: "The run failed." });
  });
});

describe("the parts of a turn", () => {
  const calling = { id: "a1", type: "ai", content: "", tool_calls: [{ id: "c1", name: "add", args: { a: 1 } }] };
  const answer = { id: "t1", type: "tool", content: "2", tool_call_id: "c1", status: "success" };

  test("a call is running until its tool answers, with the time between", () => {
    const running = foldEvent(start, { ...chunk(0, calling), at: 1000 });
    expect(partsOf(running, true)).toMatchObject([{ kind: "tool", name: "add", args: '{"a":1}', state: "running" }]);
    expect(partsOf(running, false)).toMatchObject([{ state: "stopped" }]);
    const done = foldEvent(running, { ...chunk(1, answer), at: 1300 });
    expect(partsOf(done, true)).toMatchObject([{ state: "ok", result: "2", ms: 300 }]);
    const failed = foldEvent(running, chunk(1, { ...answer, status: "error" }));
    expect(partsOf(failed, true)).toMatchObject([{ state: "failed" }]);
  });

  test("a call is answered by a later message, though an earlier call had the same id", () => {
    const again = { ...calling, id: "a2" };
    const turn = foldEvents(start, [chunk(0, calling), chunk(1, answer), chunk(2, again)]);
    expect(partsOf(turn, true)).toMatchObject([{ state: "ok" }, { state: "running" }]);
    expect(new Set(partsOf(turn, true).map((part) => part.id)).size).toBe(2);
  });

  test("text and calls keep their order", () => {
    const turn = foldEvents(start, [
      chunk(0, { ...calling, content: "Let me see." }),
      chunk(1, answer),
      chunk(2, ai("a2", "Two.")),
    ]);
    expect(
      partsOf(turn, false).map((part) => (part.kind === "text" ? part.text : part.kind === "tool" ? part.name : "")),
    ).toEqual(["Let me see.", "add", "Two."]);
  });
});

describe("a conversation from a thread's state", () => {
  const calling = { id: "a1", type: "ai", content: "", tool_calls: [{ id: "c1", name: "add", args: { a: 1 } }] };
  const answer = { id: "t1", type: "tool", content: "2", tool_call_id: "c1" };

  test("every human message starts a turn, which knows the messages before it", () => {
    const again = { type: "human", id: "q2", content: [{ type: "text", text: "And now?" }] };
    const turns = turnsOf([question, calling, answer, ai("a2", "Two."), again, ai("a3", "Three.")]);
    expect(turns.map((turn) => [turn.id, turn.question, turn.messages.map((message) => message.id)])).toEqual([
      ["q1", "Hello?", ["a1", "t1", "a2"]],
      ["q2", "And now?", ["a3"]],
    ]);
    expect(turns[1]?.known).toEqual(["q1", "a1", "t1", "a2"]);
  });

  test("messages before the first question form a turn without one", () => {
    const turns = turnsOf([ai("a0", "Welcome."), question]);
    expect(turns.map((turn) => turn.question)).toEqual(["", "Hello?"]);
    expect(partsOf(turns[0] ?? start, false)).toMatchObject([{ text: "Welcome." }]);
  });

  test("any state gives each message once", () => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.uniqueArray(wire, { selector: (one) => one.id })), (messages) => {
        const ids = turnsOf(messages).flatMap((turn) => [turn.id, ...turn.messages.map((message) => message.id)]);
        expect(new Set(ids).size).toBe(ids.length);
      }),
    );
  });

  test("a run that is folded again from its first event over any of its states ends the same", () => {
    fc.assert(
      fc.property(run, fc.nat(30), (events, cut) => {
        const whole = [...events, { id: 99, event: "values", data: { messages: [question, ai("a1", "Whole.")] } }];
        const met = beginRun(foldEvents(start, whole.slice(0, cut)));
        expect(partsOf(foldEvents(met, whole), false)).toEqual(partsOf(foldEvents(start, whole), false));
      }),
    );
  });

  test("a run that is retried emits again what the state does not hold", () => {
    const turn = foldEvents(start, [
      { id: 0, event: "metadata", data: { run_id: "r", attempt: 1 } },
      { id: 1, event: "values", data: { messages: [question, calling, answer] } },
      chunk(2, ai("lost", "Tw")),
      { id: 3, event: "metadata", data: { run_id: "r", attempt: 2 } },
      chunk(4, ai("a2", "Two.")),
    ]);
    expect(turn.messages.map((message) => message.id)).toEqual(["a1", "t1", "a2"]);
  });

  test("the interrupts of tasks are read from any value", () => {
    expect(interruptsOf([{ interrupts: [{ id: "i1", value: 1 }] }, { interrupts: [{ value: 2 }] }, {}, null])).toEqual([
      { id: "i1", value: 1 },
      { id: "interrupt.1", value: 2 },
    ]);
    fc.assert(fc.property(fc.jsonValue(), (tasks) => Array.isArray(interruptsOf(tasks))));
  });
});

const question = { type: "human", id: "q1", content: "Hello?" };

function ai(messageId: string, content: string) {
  return { type: "ai", id: messageId, content };
}

function chunk(number: number, message: object): ParsedEvent {
  return { id: number, event: "messages", data: [message, { langgraph_node: "agent" }] };
}
