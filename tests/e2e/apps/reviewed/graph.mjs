// A LangChain agent whose tools run only with a person's approval.
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage } from "@langchain/core/messages";
import { Annotation, END, interrupt, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { createAgent, humanInTheLoopMiddleware, tool } from "langchain";
import { z } from "zod";

/** Calls tools for a question, and then repeats their results. */
class Model extends BaseChatModel {
  _llmType() {
    return "scripted";
  }
  bindTools() {
    return this;
  }
  async _generate(messages) {
    const questionAt = messages.findLastIndex((one) => one.getType() === "human");
    const results = messages.slice(questionAt + 1).filter((one) => one.getType() === "tool");
    const message =
      results.length > 0
        ? new AIMessage(results.map((one) => one.text).join(" / "))
        : callsFor(messages[questionAt]?.text ?? "");
    return { generations: [{ text: message.text, message }] };
  }
}

function callsFor(text) {
  const mail = { id: "a", name: "send_email", args: { to: "ada@example.org", body: "It ships on Friday", copies: 1 } };
  const wipe = { id: "b", name: "delete_file", args: { path: "old.txt" } };
  return new AIMessage({ content: "", tool_calls: text.includes("both") ? [mail, wipe] : [mail] });
}

const sendEmail = tool(({ to, body, copies }) => `sent ${copies} to ${to}: ${body}`, {
  name: "send_email",
  description: "Sends an email.",
  schema: z.object({ to: z.string(), body: z.string(), copies: z.number() }),
});
const deleteFile = tool(({ path }) => `deleted ${path}`, {
  name: "delete_file",
  description: "Deletes a file.",
  schema: z.object({ path: z.string() }),
});

export const mailer = createAgent({
  model: new Model({}),
  tools: [sendEmail, deleteFile],
  middleware: [
    humanInTheLoopMiddleware({
      interruptOn: { send_email: true, delete_file: { allowedDecisions: ["approve", "reject"] } },
    }),
  ],
});

/** Sends an interrupt in the form of the Agent Inbox. */
export const inbox = new StateGraph(MessagesAnnotation)
  .addNode("ask", () => {
    const config = { allow_accept: true, allow_edit: true, allow_respond: true, allow_ignore: true };
    const request = {
      action_request: { action: "send_email", args: { to: "ada" } },
      config,
      description: "Look first",
    };
    const [answer] = interrupt([request]);
    return { messages: [new AIMessage(`answered ${JSON.stringify(answer)}`)] };
  })
  .addEdge(START, "ask")
  .addEdge("ask", END)
  .compile();

/** Has no messages, and is the first graph of the configuration. */
export const notes = new StateGraph(Annotation.Root({ topic: Annotation() }))
  .addNode("write", ({ topic }) => ({ topic }))
  .addEdge(START, "write")
  .addEdge("write", END)
  .compile();
