/** Small graphs, one for each kind of reply that an A2A client may get. */
import { setTimeout as pause } from "node:timers/promises";
import { SimpleChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, AIMessageChunk, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { ChatGenerationChunk } from "@langchain/core/outputs";
import { FakeListChatModel } from "@langchain/core/utils/testing";
import { Annotation, END, interrupt, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import * as z from "zod";

const single = (run, state = MessagesAnnotation) =>
  new StateGraph(state).addNode("node", run).addEdge(START, "node").addEdge("node", END).compile();

/** More tokens than a worker writes at once. */
export const reply = Array.from({ length: 600 }, (_, index) => `word${index}`).join(" ");
const model = new FakeListChatModel({ responses: [reply] });
export const words = single(async ({ messages }) => ({ messages: [await model.invoke(messages)] }));

/** Emits a text, calls a tool and emits another text. */
export const loop = new StateGraph(MessagesAnnotation)
  .addNode("model", ({ messages }) => {
    const done = messages.some((message) => message.getType() === "tool");
    const call = { id: "call", name: "look", args: {} };
    return {
      messages: [done ? new AIMessage("It is 4.") : new AIMessage({ content: "Let me look.", tool_calls: [call] })],
    };
  })
  .addNode("tools", () => ({ messages: [new ToolMessage({ content: "4", tool_call_id: "call" })] }))
  .addEdge(START, "model")
  .addConditionalEdges("model", ({ messages }) => (messages.at(-1).tool_calls?.length ? "tools" : END), ["tools", END])
  .addEdge("tools", "model")
  .compile();

const Form = z.object({ city: z.string(), country: z.string(), greeting: z.string().optional() });
export const form = single(({ city, country }) => ({ greeting: `Hello ${city}, ${country}` }), Form);

const Topic = z.object({ topic: z.string() });
export const topic = new StateGraph({ state: Topic.extend({ title: z.string().optional() }), input: Topic })
  .addNode("node", (state) => ({ title: state.topic.toUpperCase() }))
  .addEdge(START, "node")
  .addEdge("node", END)
  .compile();

/** Declares no types, so only the names of its state's keys are known. */
export const untyped = single(({ n }) => ({ n: n + 1 }), Annotation.Root({ n: Annotation() }));

export const ask = single(() => ({ messages: [new AIMessage(`You said ${interrupt({ question: "Ready?" })}`)] }));

export const failing = single(() => {
  throw new RangeError("kaput");
});

export const slow = single(async (_state, { signal }) => {
  await pause(1500, undefined, { signal });
  return { messages: [new AIMessage("At last.")] };
});

export const exits = single(() => process.exit(7));

/** Emits the first half of its reply. The rest comes when the address in the user's message has answered. */
class HalfwayModel extends SimpleChatModel {
  _llmType() {
    return "halfway";
  }
  async _call(messages, { signal }) {
    await (await fetch(messages.at(-1).text, { signal })).text();
    return HALVES.join("");
  }
  async *_streamResponseChunks(messages, { signal }, manager) {
    for (const [index, text] of HALVES.entries()) {
      if (index === HALVES.length - 1) await (await fetch(messages.at(-1).text, { signal })).text();
      for (const word of text.split(/(?<= )/)) {
        const chunk = new ChatGenerationChunk({ message: new AIMessageChunk(word), text: word });
        yield chunk;
        await manager?.handleLLMNewToken(word, undefined, undefined, undefined, undefined, { chunk });
      }
    }
  }
}
const HALVES = ["The first half of what there is to say, in many words, ", "and at last the second."];
export const halves = HALVES.join("");
export const [firstHalf] = HALVES;
const halfwayModel = new HalfwayModel({});
export const halfway = single(async ({ messages }, config) => ({
  messages: [await halfwayModel.invoke(messages, config)],
}));

/** Asks for the address at which its model is to wait. */
export const doubtful = single(async (_state, config) => {
  const address = new HumanMessage(interrupt("Where is the gate?"));
  return { messages: [await halfwayModel.invoke([address], config)] };
});

/** Replies with all human messages of its context. */
export const counts = single(({ messages }) => {
  const said = messages.filter((message) => message.getType() === "human").map(({ text }) => text);
  return { messages: [new AIMessage(`${said.length}: ${said.join(", ")}`)] };
});

/** Sets its task to the state that the user names. */
export const decides = single(({ messages }) => {
  const state = messages.at(-1).text;
  return { messages: [new AIMessage({ content: `I say ${state}`, additional_kwargs: { a2a: { state } } })] };
});

const question = (name) => () => ({ messages: [new AIMessage(`${name}: ${interrupt(`What is your ${name}?`)}`)] });
/** Asks two questions at once. */
export const both = new StateGraph(MessagesAnnotation)
  .addNode("first", question("name"))
  .addNode("second", question("quest"))
  .addEdge(START, "first")
  .addEdge(START, "second")
  .compile();

/** Replies with the kinds of the user's parts, and adds files and data of its own. */
export const papers = new StateGraph(
  Annotation.Root({
    ...MessagesAnnotation.spec,
    artifacts: Annotation({ reducer: (all, more) => [...all, ...more], default: () => [] }),
  }),
)
  .addNode("node", ({ messages }) => {
    const { content } = messages.at(-1);
    const kinds = typeof content === "string" ? "text" : content.map((block) => block.type).join(" ");
    const picture = { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } };
    return {
      messages: [new AIMessage({ content: [{ type: "text", text: `Got ${kinds}` }, picture] })],
      artifacts: [
        { name: "report", description: "All of it", parts: [{ kind: "text", text: `About ${messages.length}` }] },
        { title: "a row", n: messages.length },
      ],
    };
  })
  .addEdge(START, "node")
  .addEdge("node", END)
  .compile();
