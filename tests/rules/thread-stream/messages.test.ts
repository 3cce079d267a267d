import { AIMessageChunk } from "@langchain/core/messages";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../lib/protocol/json.ts";
import { END } from "../../../lib/protocol/stream.ts";
import type { ThreadEvent } from "../../../lib/protocol/thread-stream.ts";
import { replay } from "./runs.ts";

describe("messages", () => {
  const metadata = { langgraph_node: "model", ls_provider: "openai", ls_model_name: "gpt", tags: [] };
  const chunks = (...pieces: JsonObject[]): ThreadEvent[] =>
    replay([
      ...pieces.map((piece, number) => ({
        id: number,
        event: "messages|model:1",
        data: JSON.stringify([{ type: "ai", id: "run-1", content: "", tool_call_chunks: [], ...piece }, metadata]),
      })),
      { id: pieces.length, event: "values", data: "{}" },
    ]);
  const dataOf = (list: readonly ThreadEvent[]) => list.map(({ data }) => JSON.parse(data) as JsonObject);

  test("start with their author, and finish with usage, reason and metadata of the model", () => {
    const [first, ...rest] = dataOf(
      chunks(
        { content: "Hi", usage_metadata: { input_tokens: 3, output_tokens: 0, total_tokens: 3 } },
        {
          content: "",
          usage_metadata: { input_tokens: 0, output_tokens: 2, total_tokens: 2 },
          response_metadata: { finish_reason: "stop", model_name: "gpt" },
        },
      ),
    );
    expect(first).toEqual({
      event: "message-start",
      id: "run-1",
      role: "ai",
      run_id: "1",
      metadata: { provider: "openai", model: "gpt" },
    });
    expect(rest.at(-1)).toEqual({
      event: "message-finish",
      reason: "stop",
      usage: { input_tokens: 3, output_tokens: 2, total_tokens: 5 },
      metadata: { finish_reason: "stop", model_name: "gpt" },
      run_id: "1",
    });
  });

  test("reasoning, text and tool calls are separate blocks, whole at their end", () => {
    const list = chunks(
      { content: [{ type: "thinking", thinking: "Let me ", index: 0 }] },
      { content: [{ type: "thinking", thinking: "see.", index: 0 }] },
      { content: [{ type: "text", text: "I look.", index: 1 }] },
      { tool_call_chunks: [{ id: "c1", name: "search", args: "", index: 2 }] },
      { tool_call_chunks: [{ args: '{"q":', index: 2 }] },
      { tool_call_chunks: [{ args: '"x"}', index: 2 }] },
      { tool_call_chunks: [{ id: "c2", name: "search", args: '{"q"', index: 3 }] },
    );
    const finished = dataOf(list).filter(({ event: what }) => what === "content-block-finish");
    expect(finished.map(({ index, content }) => [index, content])).toEqual([
      [0, { type: "reasoning", reasoning: "Let me see." }],
      [1, { type: "text", text: "I look." }],
      [2, { type: "tool_call", id: "c1", name: "search", args: { q: "x" } }],
      [3, { type: "invalid_tool_call", id: "c2", name: "search", args: '{"q"', error: expect.any(String) }],
    ]);
    const deltas = dataOf(list).flatMap(({ delta }) => (delta === undefined ? [] : [delta]));
    expect(deltas.slice(3, 5)).toEqual([
      { type: "block-delta", fields: { type: "tool_call_chunk", id: "c1", name: "search", args: '{"q":' } },
      { type: "block-delta", fields: { type: "tool_call_chunk", id: "c1", name: "search", args: '{"q":"x"}' } },
    ]);
  });

  test("long arguments do not cost the square of their length", () => {
    const pieces = Array.from({ length: 20_000 }, () => ({ tool_call_chunks: [{ args: "1,2,", index: 0 }] }));
    const bytes = chunks(...pieces).reduce((sum, { data }) => sum + data.length, 0);
    expect(bytes).toBeLessThan(20_000 * 4 * 20);
  });

  test("add up as LangChain concatenates chunks", () => {
    const piece = fc.record({ content: fc.string(), args: fc.string() });
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 10 }), (pieces) => {
        const wire = pieces.map(({ content, args }) => ({
          content,
          tool_call_chunks: [{ name: "t", args, index: 0 }],
        }));
        const whole = wire
          .map(
            (one) =>
              new AIMessageChunk({
                ...one,
                tool_call_chunks: [{ ...one.tool_call_chunks[0], type: "tool_call_chunk" }],
              }),
          )
          .reduce((sum, one) => sum.concat(one));
        const blocks = dataOf(chunks(...wire)).flatMap(({ content }) =>
          content === undefined ? [] : [content as JsonObject],
        );
        const text = blocks.filter(({ type }) => type === "text").map(({ text: of }) => String(of));
        expect(text.join("")).toBe(whole.content);
      }),
    );
  });

  test("two models of one node at the same time are distinguished", () => {
    const list = chunks({ id: "run-1", content: "a" }, { id: "run-2", content: "b" }, { id: "run-1", content: "c" });
    const texts = dataOf(list).filter(({ event: what }) => what === "content-block-finish");
    expect(texts.map(({ run_id, content }) => [run_id, content])).toEqual([
      ["1", { type: "text", text: "ac" }],
      ["2", { type: "text", text: "b" }],
    ]);
  });

  test("that are cut off end with an error, before the lifecycle that holds them", () => {
    const list = replay([
      { id: 0, event: "metadata", data: "{}" },
      { id: 1, event: "tasks", data: '{"id":"1","name":"model","triggers":[]}' },
      { id: 2, event: "messages|model:1", data: '[{"id":"m","content":"Hi","tool_call_chunks":[]},{}]' },
      { id: 3, event: END, data: '{"status":"interrupted"}' },
    ]);
    expect(list.slice(-3).map(({ method, data }) => [method, JSON.parse(data) as unknown])).toMatchObject([
      ["messages", { event: "error" }],
      ["lifecycle", { event: "interrupted", graph_name: "model" }],
      ["lifecycle", { event: "interrupted", graph_name: "graph" }],
    ]);
  });
});
