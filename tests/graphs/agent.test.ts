import { AIMessageChunk, type BaseMessage, HumanMessage } from "@langchain/core/messages";
import { MemorySaver } from "@langchain/langgraph";
import { getInputTypeSchema } from "@langchain/langgraph/zod/schema";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { graph } from "../../graphs/agent.ts";

beforeEach(() => vi.stubEnv("AGENT_MODEL", ""));
afterEach(() => vi.unstubAllEnvs());

async function messagesFor(question: string): Promise<BaseMessage[]> {
  return (await graph.invoke({ messages: [new HumanMessage(question)] })).messages;
}

describe("one question", () => {
  test("is answered by human, call, result and answer", async () => {
    const messages = await messagesFor("what is 12*(3+4)?");
    expect(messages.map((message) => message.getType())).toEqual(["human", "ai", "tool", "ai"]);
    expect(messages.at(-1)?.text).toBe("`12*(3+4)` = **84**");
  });

  test.each([
    ["convert 72F to C", "72 °F = **22.22222222 °C**"],
    ["17% of 230", "= **39.1**"],
    ["what time is it in tokyo?", "in Tokyo (Asia/Tokyo, UTC+09:00)."],
    ["what is 1/0?", "I could not calculate that (`1/0`): The result is infinite"],
    ["time in Atlantis", 'There is no time zone known for "Atlantis"'],
    ["100 USD to EUR", '"USD" is a currency'],
    ["hello", "Hello!"],
    ["who are you?", "I am no language model"],
    ["write me a poem", "AGENT_MODEL"],
  ])("%s", async (question, answer) => {
    expect((await messagesFor(question)).at(-1)?.text).toContain(answer);
  });

  test("of several parts is answered in several lines, failures among them", async () => {
    const text =
      (await messagesFor("what is 2+2, convert 10 km to kg and what time is it in Paris?")).at(-1)?.text ?? "";
    const [sum, units, time, ...rest] = text.split("\n");
    expect(rest).toEqual([]);
    expect(sum).toBe("- `2+2` = **4**");
    expect(units).toContain("different things");
    expect(time).toContain("Europe/Paris");
  });

  test("about the project is answered by a search of its documentation", async () => {
    const [, call, result] = await messagesFor("how do I deploy?");
    expect(call).toMatchObject({ tool_calls: [{ name: "search_docs", args: { query: "how do I deploy" } }] });
    expect(JSON.parse(result?.text ?? "")).toMatchObject({ query: "how do I deploy" });
  });
});

test("a conversation continues from its checkpoint", async () => {
  const config = { configurable: { thread_id: "1" } };
  const hosted = Object.assign(Object.create(graph) as typeof graph, { checkpointer: new MemorySaver() });
  const say = async (text: string) => {
    const { messages } = await hosted.invoke({ messages: [new HumanMessage(text)] }, config);
    return messages.at(-1)?.text;
  };
  expect(await say("what is 6*14?")).toContain("**84**");
  expect(await say("times 3")).toContain("**252**");
  expect(await say("convert that many km")).toContain("what I can do");
  expect(await say("10 km to miles")).toContain("6.213711922 mi");
  expect(await say("and in feet?")).toContain("32808.39895 ft");
});

describe("streaming", () => {
  test("many tokens join to the final message", async () => {
    const pieces = new Map<string, AIMessageChunk[]>();
    const input = { messages: [new HumanMessage("write me a poem")] };
    for await (const [message, metadata] of await graph.stream(input, { streamMode: "messages" })) {
      expect(metadata["langgraph_node"]).toBe("model");
      if (AIMessageChunk.isInstance(message))
        pieces.set(message.id ?? "", [...(pieces.get(message.id ?? "") ?? []), message]);
    }
    const [chunks = []] = pieces.values();
    expect(pieces.size).toBe(1);
    expect(chunks.length).toBeGreaterThan(50);
    expect(chunks.map(({ text }) => text).join("")).toBe((await messagesFor("write me a poem")).at(-1)?.text);
  });

  test("each message of the final state was streamed under its own id", async () => {
    const streamed = new Set<string | undefined>();
    let last: BaseMessage[] = [];
    const input = { messages: [new HumanMessage("what is 2+2?")] };
    for await (const [mode, data] of await graph.stream(input, { streamMode: ["messages", "values"] })) {
      if (mode === "messages") streamed.add(data[0].id);
      else last = data.messages;
    }
    expect(last.slice(1).every(({ id }) => streamed.has(id))).toBe(true);
    expect(last).toHaveLength(4);
  });
});

test("an invalid AGENT_MODEL fails the run with a sentence, and the graph still loads", async () => {
  vi.stubEnv("AGENT_MODEL", "gpt");
  await expect(messagesFor("hello")).rejects.toThrow(/AGENT_MODEL is "gpt".*openai:<model>.*anthropic:<model>/u);
});

test("the drawing is a loop with named branches", async () => {
  const { edges } = await graph.getGraphAsync();
  expect(edges.map(({ source, target, data }) => [source, target, data])).toEqual([
    ["__start__", "model", undefined],
    ["tools", "model", undefined],
    ["model", "tools", "use tools"],
    ["model", "__end__", "answer"],
  ]);
});

test("the JSON Schema of the input marks the messages", () => {
  expect(getInputTypeSchema(graph)).toMatchObject({ properties: { messages: { langgraph_type: "messages" } } });
});

test("the graph has no checkpointer of its own", () => {
  expect(graph.checkpointer).toBeUndefined();
});
