import fc from "fast-check";
import { HumanMessage } from "@langchain/core/messages";
import { MemorySaver } from "@langchain/langgraph";
import { expect, test } from "vitest";
import { dump, load } from "../../../lib/worker/checkpoints/values.ts";

const { serde } = new MemorySaver();
const text = (value: unknown): string => JSON.stringify(value);

test("any JSON passes LangGraph's serializer unchanged, whatever its members are called", async () => {
  const key = fc.constantFrom("__proto__", "constructor", "a", "prototype", "member ", "");
  const { value: json } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: "small" },
      fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null), fc.constant('"__proto__"')),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.uniqueArray(fc.tuple(key, tie("value")), { selector: ([name]) => name, maxLength: 4 }).map(Object.fromEntries),
    ),
  }));
  await fc.assert(
    fc.asyncProperty(json, async (value) => {
      const back = await load(serde, await dump(serde, value));
      expect(text(back)).toBe(text(value));
    }),
    { numRuns: 300 },
  );
});

test("an object's content does not set its prototype", async () => {
  const value: unknown = JSON.parse('{"user":{"__proto__":{"admin":true}}}');
  const back = (await load(serde, await dump(serde, value))) as { user: { admin?: boolean } };
  expect(back.user.admin).toBeUndefined();
  expect(Object.getPrototypeOf(back.user)).toBe(Object.prototype);
});

test("maps and sets keep such members inside, and a message beside them stays a message", async () => {
  const odd = JSON.parse('{"__proto__":[1]}') as object;
  const value = { message: new HumanMessage("hi"), map: new Map([["k", odd]]), set: new Set([odd]) };
  const back = (await load(serde, await dump(serde, value))) as typeof value;
  expect(back.message).toBeInstanceOf(HumanMessage);
  expect(back.message.content).toBe("hi");
  expect(text([...back.map])).toBe(text([["k", odd]]));
  expect(text([...back.set])).toBe(text([odd]));
});
