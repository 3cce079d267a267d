import { AIMessage, HumanMessage } from "@langchain/core/messages";
import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonOf } from "../../../lib/worker/plain.ts";
import { valuesJson } from "../../../lib/worker/runs/values.ts";

test("a state's values are written like any other value", () => {
  const message = fc.string().map((text) => new HumanMessage({ content: text, id: text }));
  const channel = fc.oneof(fc.jsonValue(), fc.array(fc.oneof(message, fc.jsonValue())), fc.constant(undefined));
  fc.assert(
    fc.property(fc.dictionary(fc.string(), channel), (values) => {
      expect(JSON.parse(valuesJson(values))).toEqual(JSON.parse(jsonOf(values)));
      // The second time, the messages come from the cache.
      expect(valuesJson(values)).toEqual(valuesJson(values));
    }),
  );
});

test("a changed message is written again", () => {
  const message = new AIMessage({ content: "before", id: "m" });
  const values = { messages: [message] };
  expect(valuesJson(values)).toContain("before");
  message.content = "after";
  expect(JSON.parse(valuesJson(values))).toEqual(JSON.parse(jsonOf(values)));
  message.tool_calls = [{ name: "search", args: {}, id: "c", type: "tool_call" }];
  expect(valuesJson(values)).toContain("search");
});

test("a state that is no plain object, or no object at all, is written, too", () => {
  for (const values of [null, 5, "text", [1, 2], new Map([["a", 1]])]) expect(valuesJson(values)).toBe(jsonOf(values));
});
