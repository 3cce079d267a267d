import { AIMessage, AIMessageChunk, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { OfflineChatModel } from "../../graphs/offline-model.ts";
import { calculate } from "../../graphs/tools/calculate.ts";
import { currentTime } from "../../graphs/tools/current-time.ts";
import { phrasings } from "./phrasings.ts";

const model = new OfflineChatModel();
const bound = model.bindTools([calculate, currentTime]);

async function collect(messages: BaseMessage[]): Promise<AIMessageChunk[]> {
  const chunks: AIMessageChunk[] = [];
  for await (const chunk of await bound.stream(messages)) chunks.push(chunk);
  return chunks;
}

const question = fc.oneof(
  fc.string(),
  fc.constantFrom(...phrasings.map(([text]) => text), "hello", "help", "who are you?"),
);

test("invoke and stream give the same text, calls, usage and reason", async () => {
  await fc.assert(
    fc.asyncProperty(question, async (text) => {
      const messages = [new HumanMessage(text)];
      const whole = await bound.invoke(messages);
      const chunks = await collect(messages);
      const joined = chunks.reduce((a, b) => a.concat(b));
      expect(joined.text).toBe(whole.text);
      expect(joined.tool_calls).toEqual(whole.tool_calls);
      expect(joined.usage_metadata).toMatchObject({ ...whole.usage_metadata });
      expect(joined.response_metadata).toEqual(whole.response_metadata);
    }),
  );
});

test("text is streamed token by token", async () => {
  const chunks = await collect([new HumanMessage("help")]);
  expect(chunks.length).toBeGreaterThan(50);
  for (const { text } of chunks) expect(text.trim().length).toBeLessThanOrEqual(12);
});

test("a callback for new tokens is called with each of them", async () => {
  const tokens: string[] = [];
  const callbacks = [{ handleLLMNewToken: (token: string) => void tokens.push(token) }];
  const chunks: string[] = [];
  for await (const chunk of await bound.stream("who are you?", { callbacks })) chunks.push(chunk.text);
  expect(tokens).toEqual(chunks);
  expect(tokens.length).toBeGreaterThan(20);
});

test("an aborted signal ends the stream", async () => {
  const controller = new AbortController();
  const seen: string[] = [];
  const reading = (async () => {
    for await (const chunk of await bound.stream("help", { signal: controller.signal })) {
      seen.push(chunk.text);
      if (seen.length === 5) controller.abort();
    }
  })();
  await expect(reading).rejects.toThrow(/abort/iu);
  expect(seen.length).toBeLessThan(10);
});

describe("tool calls", () => {
  test("of one message have different ids", async () => {
    const { tool_calls: calls = [], response_metadata } = await bound.invoke("what is 2+2, and the time in Tokyo?");
    expect(calls).toMatchObject([
      { id: "call_1", name: "calculate", args: { expression: "2+2" } },
      { id: "call_2", name: "current_time", args: { place: "Tokyo" } },
    ]);
    expect(response_metadata["finish_reason"]).toBe("tool_calls");
  });

  test("are made for bound tools only, and help lists only those", async () => {
    expect((await model.invoke("what is 2+2?")).tool_calls).toEqual([]);
    expect((await model.bindTools([calculate]).invoke("time in Tokyo")).tool_calls).toEqual([]);
    const help = await bound.invoke("help");
    expect(help.text).toContain("Calculate");
    expect(help.text).not.toContain("Convert units");
  });

  test("are made for tools in OpenAI's form too", async () => {
    const openaiTool = { type: "function", function: { name: "calculate", parameters: {} } };
    expect((await model.bindTools([openaiTool]).invoke("2+2")).tool_calls).toHaveLength(1);
  });

  test("continue the ids of the conversation", async () => {
    const earlier = new AIMessage({
      content: "",
      tool_calls: [{ id: "call_1", name: "calculate", args: { expression: "1+1" } }],
    });
    const messages = [
      new HumanMessage("1+1"),
      earlier,
      new ToolMessage("2", "call_1"),
      new AIMessage("2"),
      new HumanMessage("3+3"),
    ];
    expect((await bound.invoke(messages)).tool_calls?.map(({ id }) => id)).toEqual(["call_2"]);
  });
});

describe("answers from results", () => {
  const called = (name: string, args: Record<string, unknown>) => [
    new HumanMessage("?"),
    new AIMessage({ content: "", tool_calls: [{ id: "a", name, args }] }),
  ];

  test("a failed call is described without the error's prefix", async () => {
    const failed = new ToolMessage({
      content: "Error: no.\n Please fix your mistakes.",
      tool_call_id: "a",
      status: "error",
    });
    const { text } = await bound.invoke([...called("calculate", { expression: "1/0" }), failed]);
    expect(text).toBe("I could not calculate that (`1/0`): no.");
  });

  test("a result of another form, from a tool of the same name, is quoted", async () => {
    const other = new ToolMessage("forty-two", "a");
    expect((await bound.invoke([...called("calculate", { expression: "6*7" }), other])).text).toBe("forty-two");
  });

  test("any content of a tool message gives an answer", async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string({ minLength: 1 }), fc.json()), async (content) => {
        const { text } = await bound.invoke([
          ...called("calculate", { expression: "1" }),
          new ToolMessage(content, "a"),
        ]);
        expect(text.length).toBeGreaterThan(0);
      }),
    );
  });
});

test("without a question the answer is the help text", async () => {
  expect((await bound.invoke([])).text).toContain("AGENT_MODEL");
});
