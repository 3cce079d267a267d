import fc from "fast-check";
import { expect, test } from "vitest";
import { RunKwargs } from "../../../lib/protocol/runs.ts";
import { answeredIds, interruptIds, openAfter, resumeByIds } from "../../../lib/rules/interrupts/open-interrupts.ts";

const id = fc.stringMatching(/^[0-9a-f]{32}$/);
const kwargs = (changes: object) =>
  RunKwargs.parse({
    input: null,
    command: null,
    config: {},
    context: null,
    stream_mode: ["values"],
    interrupt_before: null,
    interrupt_after: null,
    webhook: null,
    feedback_keys: null,
    temporary: false,
    subgraphs: false,
    resumable: false,
    ...changes,
  });
const left = (open: readonly string[], changes: object) => [...openAfter(new Set(open), kwargs(changes))];

test("answers by id close the interrupts that they name and leave the rest open", () => {
  fc.assert(
    fc.property(fc.uniqueArray(id, { minLength: 1 }), fc.nat(), (ids, pick) => {
      const answered = ids.slice(0, 1 + (pick % ids.length));
      const resume = Object.fromEntries(answered.map((one) => [one, "x"]));
      expect(left(ids, { command: { resume } })).toEqual(ids.slice(answered.length));
    }),
  );
});

test("any other answer, a goto, new input or a fork closes all; continuing leaves all open", () => {
  fc.assert(
    fc.property(fc.uniqueArray(id), (ids) => {
      for (const resume of ["yes", 7, false, {}, { a: 1 }, [1], { [ids[0] ?? "a"]: 1, also: 2 }])
        expect(left(ids, { command: { resume } })).toEqual([]);
      expect(left(ids, { command: { goto: "there" } })).toEqual([]);
      expect(left(ids, { input: { messages: [] } })).toEqual([]);
      expect(left(ids, { config: { configurable: { checkpoint_id: "x" } } })).toEqual([]);
      expect(left(ids, {})).toEqual(ids);
    }),
  );
});

test("ids are those of all tasks' interrupts that have one", () => {
  expect(interruptIds({ one: [{ id: "a", value: 1 }, { value: 2 }], two: [], three: [{ id: "b" }] })).toEqual([
    "a",
    "b",
  ]);
});

test("a resume names the interrupts that it answers, except one of older LangGraph, which has no id to name", () => {
  fc.assert(
    fc.property(fc.uniqueArray(id, { minLength: 1 }), fc.jsonValue(), (ids, value) => {
      const resume = resumeByIds(ids.map((one) => ({ id: one, value })));
      expect(answeredIds(resume)).toEqual(Object.keys(Object.fromEntries(ids.map((one) => [one, value]))));
      expect(left(ids, { command: { resume } })).toEqual([]);
      expect(resumeByIds([{ id: "interrupt.0", value }])).toBe(value);
    }),
  );
  expect(answeredIds("yes")).toEqual([]);
  expect(answeredIds({ answer: 1 })).toEqual([]);
});
