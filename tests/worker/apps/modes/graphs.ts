import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, AIMessageChunk, ToolMessage, type BaseMessage } from "@langchain/core/messages";
import { ChatGenerationChunk, type ChatResult } from "@langchain/core/outputs";
import type { CallbackManagerForLLMRun } from "@langchain/core/callbacks/manager";
import { tool, type StructuredToolInterface } from "@langchain/core/tools";
import {
  Annotation,
  interrupt,
  MessagesAnnotation,
  StateGraph,
  type LangGraphRunnableConfig,
} from "@langchain/langgraph";
import { ToolNode } from "@langchain/langgraph/prebuilt";
import { z } from "zod";

export class Speaker extends BaseChatModel {
  pieces: string[];
  constructor(pieces: string[]) {
    super({});
    this.pieces = pieces;
  }
  _llmType() {
    return "speaker";
  }
  async _generate(): Promise<ChatResult> {
    const text = this.pieces.join("");
    return { generations: [{ text, message: new AIMessage(text) }] };
  }
  async *_streamResponseChunks(
    _messages: BaseMessage[],
    _options: this["ParsedCallOptions"],
    manager?: CallbackManagerForLLMRun,
  ) {
    for (const piece of this.pieces) {
      const chunk = new ChatGenerationChunk({ text: piece, message: new AIMessageChunk({ content: piece }) });
      yield chunk;
      await manager?.handleLLMNewToken(piece, undefined, undefined, undefined, undefined, { chunk });
    }
  }
}

const hi = new Speaker(["H", "i", "!"]);

export const chat = new StateGraph(MessagesAnnotation)
  .addNode("model", async ({ messages }) => ({ messages: [await hi.invoke(messages)] }))
  .addEdge("__start__", "model")
  .compile();

export const nested = new StateGraph(MessagesAnnotation).addNode("sub", chat).addEdge("__start__", "sub").compile();

const silent = new Speaker(["psst"]).withConfig({ tags: ["nostream"] });
const hidden = new Speaker(["shh"]).withConfig({ tags: ["langsmith:hidden"] });
export const quiet = new StateGraph(MessagesAnnotation)
  .addNode("model", async ({ messages }) => {
    await silent.invoke(messages);
    await hidden.invoke(messages);
    return {};
  })
  .addEdge("__start__", "model")
  .compile();

const Count = Annotation.Root({
  n: Annotation<number>(),
  log: Annotation<string[]>({ reducer: (a, b) => [...a, ...b], default: () => [] }),
});

export const steps = new StateGraph(Count)
  .addNode("first", (_state, config: LangGraphRunnableConfig) => {
    config.writer?.({ progress: 1 });
    return { n: 1, log: ["first"] };
  })
  .addNode("second", ({ n }) => ({ n: n + 1, log: ["second"] }))
  .addEdge("__start__", "first")
  .addEdge("first", "second")
  .compile();

export const asks = new StateGraph(Count)
  .addNode("ask", () => {
    interrupt({ q: "ok?" });
    return {};
  })
  .addEdge("__start__", "ask")
  .compile();

export const asksTwice = new StateGraph(Count)
  .addNode("works", () => ({ log: ["worked"] }))
  .addNode("one", () => {
    interrupt(1);
    return {};
  })
  .addNode("two", () => {
    interrupt(2);
    return {};
  })
  .addEdge("__start__", "works")
  .addEdge("__start__", "one")
  .addEdge("__start__", "two")
  .compile();

export const asksBelow = new StateGraph(Count).addNode("below", asks).addEdge("__start__", "below").compile();

export const fails = new StateGraph(Count)
  .addNode("bad", () => {
    throw new RangeError("kaput");
  })
  .addEdge("__start__", "bad")
  .compile();

export const failsBelow = new StateGraph(Count).addNode("below", fails).addEdge("__start__", "below").compile();

let tries = 0;
export const succeedsLater = new StateGraph(Count)
  .addNode(
    "flaky",
    () => {
      tries += 1;
      if (tries < 2) throw new RangeError("not yet");
      return { log: ["flaky"] };
    },
    { retryPolicy: { maxAttempts: 2, initialInterval: 1, jitter: false, logWarning: false, retryOn: () => true } },
  )
  .addEdge("__start__", "flaky")
  .compile();

export const endless = new StateGraph(Count)
  .addNode("again", ({ log }) => ({ log: [String(log.length)] }))
  .addEdge("__start__", "again")
  .addEdge("again", "again")
  .compile();

const echo = tool(({ x }) => `echo:${x}`, { name: "echo", description: "echo", schema: z.object({ x: z.string() }) });
const broken = tool(
  () => {
    throw new TypeError("no tool");
  },
  { name: "broken", description: "broken", schema: z.object({}) },
);
const calls = (name: string, args: object, ...known: StructuredToolInterface[]) =>
  new StateGraph(MessagesAnnotation)
    .addNode("call", () => ({
      messages: [new AIMessage({ content: "", tool_calls: [{ id: "call_1", name, args, type: "tool_call" }] })],
    }))
    .addNode("tools", new ToolNode(known))
    .addEdge("__start__", "call")
    .addEdge("call", "tools")
    .compile();
export const tools = calls("echo", { x: "a" }, echo);
export const brokenTool = calls("broken", {}, broken);

export const ready = new StateGraph(MessagesAnnotation)
  .addNode("tool", () => ({ messages: [new ToolMessage({ content: "42", tool_call_id: "c", id: "t1" })] }))
  .addEdge("__start__", "tool")
  .compile();
