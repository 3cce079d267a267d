import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Memory, recognise } from "../../graphs/offline/intent.ts";
import type { SmallTalk } from "../../graphs/offline/small-talk.ts";
import { ToolCall } from "../../graphs/tools/contract.ts";
import { evaluateExpression } from "../../graphs/tools/calculate.ts";
import { phrasings } from "./phrasings.ts";

const all = new Set(["calculate", "current_time", "convert_units", "search_docs"]);

/** Generates text of the words that the grammar knows: it gets further into it than random letters do. */
const wordy = fc
  .array(
    fc.constantFrom(
      ..."what is time in Tokyo and , convert 10 km to miles % of sqrt ( ) + - * / ^ 3.5 ! ? how do I deploy that there".split(
        " ",
      ),
      fc.sample(fc.string(), 1)[0] ?? "",
    ),
    { maxLength: 60 },
  )
  .map((words) => words.join(" "));

const anyText = fc.oneof(fc.string({ unit: "binary", maxLength: 400 }), wordy);

describe("laws", () => {
  test("every text gives valid tool calls, or small talk, or nothing", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { calls, smallTalk } = recognise(text, all);
        for (const call of calls) expect(ToolCall.safeParse(call).error).toBeUndefined();
        if (smallTalk) expect(calls).toEqual([]);
        expect(calls.length).toBeLessThanOrEqual(8);
      }),
      { numRuns: 2000 },
    );
  });

  test("the same text gives the same result", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(recognise(text, all)).toEqual(recognise(text, all));
      }),
    );
  });

  test("only available tools are called", () => {
    fc.assert(
      fc.property(wordy, fc.subarray([...all]), (text, names) => {
        const tools = new Set(names);
        for (const { name } of recognise(text, tools).calls) expect(tools).toContain(name);
      }),
    );
  });

  test("a long text of any kind is read within 100 ms of CPU time", () => {
    const repeated = fc
      .tuple(fc.string({ minLength: 1, maxLength: 6 }), wordy)
      .map(([a, b]) => (a + b).repeat(2000 / (a + b).length + 1));
    fc.assert(
      fc.property(repeated, (text) => {
        const before = process.cpuUsage();
        recognise(text, all);
        expect(process.cpuUsage(before).user).toBeLessThan(100_000);
      }),
      { numRuns: 300 },
    );
  });

  test("a sum in words equals the sum in signs", () => {
    const operator = fc.constantFrom(["plus", "+"], ["minus", "-"], ["times", "*"], ["multiplied by", "*"]);
    const n = fc.integer({ min: 0, max: 1_000_000 });
    fc.assert(
      fc.property(n, operator, n, (a, [word, sign], b) => {
        const [call] = recognise(`What is ${a} ${word} ${b}?`, all).calls;
        expect(call?.name).toBe("calculate");
        if (call?.name === "calculate") {
          expect(evaluateExpression(call.args.expression)).toBe(evaluateExpression(`${a}${sign}${b}`));
        }
      }),
    );
  });
});

describe("examples of questions", () => {
  test.each(phrasings)("%s", (text, ...calls) => {
    expect(recognise(text, all)).toEqual({ calls });
  });

  test("there are more than sixty examples", () => {
    expect(phrasings.length).toBeGreaterThan(60);
  });

  test.each<[string, SmallTalk | undefined]>([
    ["hello", "greeting"],
    ["Good morning!", "greeting"],
    ["thanks!", "thanks"],
    ["ok, thank you so much", "thanks"],
    ["bye", "farewell"],
    ["How are you?", "wellbeing"],
    ["who are you?", "identity"],
    ["are you an AI?", "identity"],
    ["which model are you", "identity"],
    ["help", "help"],
    ["what can you do?", "help"],
    ["how do I set a real model?", "model"],
    ["write me a poem", undefined],
    ["2026-11-21", undefined],
    ["it is time for lunch", undefined],
    ["", undefined],
  ])("%s is small talk: %s", (text, smallTalk) => {
    expect(recognise(text, all)).toEqual(smallTalk ? { calls: [], smallTalk } : { calls: [] });
  });
});

describe("a question that continues the one before", () => {
  const sum: Memory = { call: { name: "calculate", args: { expression: "6*14" } }, value: "84" };
  const units: Memory = {
    call: { name: "convert_units", args: { value: 10, from: "km", to: "miles" } },
    value: "6.213711922",
  };
  const time: Memory = { call: { name: "current_time", args: { place: "Tokyo" } } };

  test.each<[string, Memory, ToolCall["args"]]>([
    ["times 3", sum, { expression: "84 * 3" }],
    ["and divided by 2?", sum, { expression: "84 / 2" }],
    ["what is that squared?", sum, { expression: "84^2" }],
    ["20% of that", sum, { expression: "20 / 100 * 84" }],
    ["- 5", sum, { expression: "84 - 5" }],
    ["squared", { ...sum, value: "-3" }, { expression: "(-3)^2" }],
    ["and in feet?", units, { value: 10, from: "km", to: "feet" }],
    ["what about 20 km?", units, { value: 20, from: "km", to: "miles" }],
    ["times 2", units, { expression: "6.213711922 * 2" }],
    ["and in Paris?", time, { place: "Paris" }],
    ["what about New York", time, { place: "New York" }],
    ["and the date", time, { place: "Tokyo" }],
  ])("%s", (text, memory, args) => {
    expect(recognise(text, all, memory).calls.map((call) => call.args)).toEqual([args]);
    expect(recognise(text, all).calls.map((call) => call.args)).not.toEqual([args]);
  });
});
