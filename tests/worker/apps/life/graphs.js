import { spawn } from "node:child_process";
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, AIMessageChunk } from "@langchain/core/messages";
import { ChatGenerationChunk } from "@langchain/core/outputs";
import { setTimeout as sleep } from "node:timers/promises";
import { Annotation, StateGraph } from "@langchain/langgraph";

const State = Annotation.Root({ ms: Annotation(), n: Annotation(), text: Annotation() });
const one = (node) => new StateGraph(State).addNode("node", node).addEdge("__start__", "node").compile();

/** A node that obeys the signal. */
export const polite = one(async ({ ms }, config) => {
  await sleep(ms, undefined, { signal: config.signal });
  return { n: 1 };
});

/** A node that ignores the signal, and goes on writing. */
export const stubborn = one(async ({ ms }, config) => {
  config.writer?.("before");
  for (let i = 0; i < 10; i++) {
    await sleep(ms / 10);
    config.writer?.(i);
  }
  console.error("stubborn to the end");
  return { n: 1 };
});

export const quick = one(({ n }) => ({ n: (n ?? 0) + 1 }));

export const aborts = one(async (_state, config) => {
  config.signal.addEventListener("abort", () => console.error("heard the signal"));
  config.writer?.("listening");
  await sleep(60_000);
  return {};
});

export const forgets = one(() => {
  void Promise.reject(new TypeError("nobody waits for me"));
  return { n: 1 };
});

export const explodes = one(async () => {
  setTimeout(() => {
    throw new TypeError("nobody catches me");
  }, 5);
  await sleep(60_000);
  return {};
});
const { setTimeout } = globalThis;

export const flood = one(({ n }, config) => {
  for (let i = 0; i < n; i++) config.writer?.(`${i} ${"x".repeat(1000)}`);
  return { n };
});

export const spins = one(() => {
  console.error(`child ${spawn("sleep", ["1000"], { detached: true, stdio: "ignore" }).pid}`);
  console.error("spinning");
  for (;;);
});

class Counter extends BaseChatModel {
  _llmType() {
    return "counter";
  }
  async _generate() {
    return { generations: [{ text: "", message: new AIMessage("") }] };
  }
  async *_streamResponseChunks([{ content }], _options, manager) {
    for (let i = 0; i < Number(content); i++) {
      const text = `${i} `.padEnd(200, "~");
      const chunk = new ChatGenerationChunk({ text, message: new AIMessageChunk({ content: text }) });
      yield chunk;
      await manager?.handleLLMNewToken(text, undefined, undefined, undefined, undefined, { chunk });
      // Other work runs in between, as with tokens from a network.
      if (i % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
  }
}
const counter = new Counter({});
export const tokens = one(async ({ n }) => {
  await counter.invoke(String(n));
  console.error("said it all");
  return {};
});
