import fc from "fast-check";
import { AIMessageChunk, HumanMessage } from "@langchain/core/messages";
import { describe, expect, test } from "vitest";
import { jsonOf, plainOf } from "../../lib/worker/plain.ts";

const anything = fc.anything({
  withBigInt: true,
  withDate: true,
  withMap: true,
  withSet: true,
  withTypedArray: true,
  withNullPrototype: true,
  withSparseArray: true,
  withBoxedValues: true,
  withObjectString: true,
});

describe("jsonOf", () => {
  test("writes every JSON value as JSON.stringify does", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(jsonOf(value)).toBe(JSON.stringify(value));
      }),
    );
  });

  test("returns the very value when there is nothing to change", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(plainOf(value)).toBe(value);
      }),
    );
  });

  test("writes one line of JSON for any value, and never throws", () => {
    fc.assert(
      fc.property(anything, (value) => {
        const text = jsonOf(value);
        expect(text).not.toContain("\n");
        expect(() => JSON.parse(text) as unknown).not.toThrow();
      }),
      { numRuns: 2_000 },
    );
  });

  test("does not change what it writes", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.bigInt(), (value, big) => {
        const before = structuredClone({ value, list: [value, big] });
        const state = { value, list: [value, big] };
        jsonOf(state);
        expect(state).toEqual(before);
      }),
    );
  });

  test("cuts a cycle where it closes, and only there", () => {
    const shared = { a: 1 };
    const circle: Record<string, unknown> = { one: shared, two: shared };
    circle.self = [circle];
    expect(JSON.parse(jsonOf(circle))).toEqual({ one: { a: 1 }, two: { a: 1 }, self: ["[Circular]"] });
  });

  test("keeps a member called __proto__ when it copies", () => {
    const state: unknown = JSON.parse('{"__proto__":{"a":1},"b":2}');
    expect(jsonOf(Object.assign(Object(state), { big: 1n }))).toBe('{"__proto__":{"a":1},"b":2,"big":"1"}');
  });

  test("calls toJSON once, and takes the fields of an object whose toJSON throws", () => {
    let calls = 0;
    const polite = { toJSON: () => ({ asked: ++calls }) };
    const rude = {
      kept: 1,
      toJSON() {
        throw new Error("no");
      },
    };
    expect(jsonOf([polite, rude])).toBe('[{"asked":1},{"kept":1}]');
  });

  test("writes messages flat, as they are now, at any depth", () => {
    const message = new HumanMessage({ content: "hi", id: "m1" });
    message.content = "changed";
    const chunk = new AIMessageChunk({ content: "x" });
    chunk.id = "late";
    expect(JSON.parse(jsonOf({ deep: [new Map([["m", message]])], chunk }))).toEqual({
      deep: [{ m: { content: "changed", id: "m1", additional_kwargs: {}, response_metadata: {}, type: "human" } }],
      chunk: {
        content: "x",
        tool_calls: [],
        invalid_tool_calls: [],
        tool_call_chunks: [],
        additional_kwargs: {},
        response_metadata: {},
        id: "late",
        type: "ai",
      },
    });
  });
});
