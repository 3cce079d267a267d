import { execFileSync } from "node:child_process";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { asksNothing, exampleInput, takesMessages, withMessage } from "../../lib/client/example-input.ts";
import {
  a2aSnippet,
  curlLine,
  curlSnippet,
  javascriptSnippet,
  pythonSnippet,
  quickRun,
} from "../../lib/client/quick-start.ts";

const words = fc.string({ unit: "grapheme", maxLength: 40 }).filter((text) => !text.includes("\0"));
const start = fc.record({
  url: fc.constantFrom("http://localhost:2024", "https://agents.example.org/agents/my-app"),
  assistant: fc.oneof(
    fc.constantFrom("agent", "it's", "a b"),
    words.filter((text) => text !== ""),
  ),
  question: fc.option(words, { nil: undefined }),
  input: fc.dictionary(words, fc.jsonValue()),
  keyed: fc.boolean(),
});

/** Returns the arguments that a shell passes to curl when the snippet is pasted. */
function pasted(snippet: string): string[] {
  const script = `GRAPHLIB_API_KEY=secret\ncurl() { printf '%s\\0' "$@"; }\n${snippet}`;
  return execFileSync("sh", ["-c", script], { encoding: "utf8" }).split("\0").slice(0, -1);
}

describe("quick start", () => {
  test("the curl line, pasted into a shell, sends the body that it shows", () => {
    fc.assert(
      fc.property(start, (given) => {
        const args = pasted(curlSnippet(given));
        expect(args.slice(0, 2)).toEqual(["-N", `${given.url}/runs/stream`]);
        expect(JSON.parse(args.at(-1) ?? "")).toEqual(JSON.parse(JSON.stringify(quickRun(given))));
        expect(args.includes("x-api-key: secret")).toBe(given.keyed);
      }),
      { numRuns: 50 },
    );
  });

  test("and so does the line that is printed for a terminal", () => {
    fc.assert(
      fc.property(start, (given) => {
        const line = curlLine(given);
        const args = pasted(line);
        expect(args.slice(0, 2)).toEqual(["-N", `${given.url}/runs/stream`]);
        expect(JSON.parse(args.at(-1) ?? "")).toEqual(JSON.parse(JSON.stringify(quickRun(given))));
        expect(args.includes("x-api-key: secret")).toBe(given.keyed);
        expect(line).not.toContain("\n");
      }),
      { numRuns: 50 },
    );
  });

  test("the A2A line sends the question in a message, at the assistant's address", () => {
    fc.assert(
      fc.property(start, (given) => {
        const args = pasted(a2aSnippet(given));
        expect(decodeURIComponent(args[0] ?? "")).toBe(`${given.url}/a2a/${given.assistant}`);
        const body = JSON.parse(args.at(-1) ?? "");
        expect(body).toMatchObject({ jsonrpc: "2.0", method: "message/send" });
        const { question, input } = given;
        const part = question === undefined ? { kind: "data", data: input } : { kind: "text", text: question };
        expect(body.params.message.parts).toEqual(JSON.parse(JSON.stringify([part])));
      }),
      { numRuns: 50 },
    );
  });

  test("the input in the JavaScript is the input", () => {
    fc.assert(
      fc.property(start, (given) => {
        const text = /\n {2}input: (.*),\n {2}streamMode/s.exec(javascriptSnippet(given))?.[1] ?? "";
        expect(JSON.parse(runInNewContext(`JSON.stringify(${text})`))).toEqual(JSON.parse(JSON.stringify(given.input)));
      }),
    );
  });

  test("a snippet has a key only for a server that requires one", () => {
    const given = { url: "http://localhost:2024", assistant: "agent", question: "Hi", input: {} };
    for (const snippet of [curlSnippet, a2aSnippet, javascriptSnippet, pythonSnippet]) {
      expect(snippet({ ...given, keyed: true })).toContain("GRAPHLIB_API_KEY");
      expect(snippet({ ...given, keyed: false })).not.toContain("KEY");
    }
  });

  test("Python gets its own true, false and none", () => {
    const input = { yes: true, no: false, nothing: null, list: [1, "a"] };
    const snippet = pythonSnippet({ url: "http://x", assistant: "a", question: "", keyed: false, input });
    expect(snippet).toContain('input={"yes": True, "no": False, "nothing": None, "list": [1, "a"]},');
  });
});

describe("example input", () => {
  test("the input of a graph with messages, or with an unknown schema, is the question", () => {
    const messages = { type: "object", properties: { messages: { type: "array" } } };
    for (const schema of [messages, null, undefined, {}]) {
      expect(takesMessages(schema)).toBe(true);
      expect(exampleInput(schema, "Hi")).toEqual({ messages: [{ role: "user", content: "Hi" }] });
    }
  });

  test("a graph with messages is given what else its schema requires", () => {
    const properties = {
      messages: { type: "array" },
      customer: { type: "string" },
      age: { type: "integer", minimum: 18 },
      note: { anyOf: [{ type: "null" }, { type: "boolean" }] },
      other: { type: "string" },
    };
    const schema = { type: "object", properties, required: ["messages", "customer", "age", "note"] };
    const expected = { messages: [{ role: "user", content: "Hi" }], customer: "text", age: 18, note: true };
    expect(exampleInput(schema, "Hi")).toEqual(expected);
  });

  test("a graph without messages gets a value of the right kind for each key", () => {
    const schema = {
      type: "object",
      properties: {
        topic: { type: "string" },
        mail: { type: "string", format: "email" },
        odd: { type: "string", format: "odd" },
        tone: { enum: ["dry", "warm"] },
        depth: { type: "integer", default: 3 },
        whole: { type: "integer", minimum: -9007199254740991 },
        maybe: { anyOf: [{ type: "boolean" }, { type: "null" }] },
        nested: { type: "object", properties: { list: { type: "array" } } },
        plan: { $ref: "#/$defs/Plan" },
      },
      $defs: { Plan: { type: "object", properties: { kind: { type: "string", const: "search" } } } },
    };
    expect(takesMessages(schema)).toBe(false);
    const expected = {
      topic: "text",
      mail: "ada@example.com",
      odd: "text",
      tone: "dry",
      depth: 3,
      whole: 1,
      maybe: true,
      nested: { list: [] },
      plan: { kind: "search" },
    };
    expect(exampleInput(schema, "Hi")).toEqual(expected);
  });

  test("a function of a list, a text or a number gets one, and no messages", () => {
    expect(exampleInput({ type: "array", items: { type: "number" } }, "Hi")).toEqual([]);
    expect(exampleInput({ type: "string" }, "Hi")).toBe("text");
    expect(exampleInput({ type: ["number", "null"] }, "Hi")).toBe(1);
    for (const type of ["array", "string", "number"]) expect(takesMessages({ type })).toBe(false);
  });

  test("a list of texts that is called messages is no conversation", () => {
    const messages = { type: "array", items: { type: "string" } };
    const schema = { type: "object", properties: { count: { type: "number" }, messages } };
    expect(takesMessages(schema)).toBe(false);
    expect(exampleInput(schema, "Hi")).toEqual({ count: 1, messages: [] });
    for (const items of [{}, { type: "object" }, { anyOf: [{ type: "string" }, { type: "object" }] }, undefined]) {
      expect(takesMessages({ type: "object", properties: { messages: { type: "array", items } } })).toBe(true);
    }
  });

  test("any schema gives JSON", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (schema) => {
        expect(JSON.stringify(exampleInput(schema, "Hi"))).toEqual(expect.any(String));
      }),
    );
  });
});

describe("an input without a question", () => {
  test.each([
    [{ messages: [{ role: "user", content: "" }] }, true],
    [{ messages: [{ role: "user", content: " \n" }, { type: "human" }], topic: "refund" }, true],
    [{ messages: [{ role: "user", content: [] }] }, true],
    [{ messages: [{ role: "user", content: "hello" }] }, false],
    [{ messages: [{ role: "user", content: [{ type: "text", text: "" }] }] }, false],
    [{ messages: [{ type: "ai", content: "", tool_calls: [{ name: "search" }] }] }, false],
    // Somebody has emptied the list: the graph runs without another message.
    [{ messages: [] }, false],
    [{ text: "" }, false],
    [null, false],
  ])("%j asks nothing: %j", (input, is) => {
    expect(asksNothing(input)).toBe(is);
  });

  test("an example without a question asks nothing, and something with a message", () => {
    fc.assert(
      fc.property(words, (text) => {
        const empty = exampleInput(undefined, "");
        expect(asksNothing(empty)).toBe(true);
        expect(asksNothing(withMessage(empty, text))).toBe(text.trim() === "");
      }),
    );
  });
});
