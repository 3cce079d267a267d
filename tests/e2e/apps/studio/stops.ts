// Graphs that wait for a person: two questions at once, and a review in the form of the Agent Inbox.
import { Annotation, END, interrupt, START, StateGraph } from "@langchain/langgraph";

const State = Annotation.Root({
  answers: Annotation<unknown[]>({ reducer: (a, b) => [...a, ...b], default: () => [] }),
});

export const parallel = new StateGraph(State)
  .addNode("age", () => ({ answers: [{ age: interrupt("How old are you?") }] }))
  .addNode("colour", () => ({
    answers: [{ colour: interrupt({ question: "Which colour?", options: ["red", "blue"] }) }],
  }))
  .addNode("thank", () => ({ answers: ["thanks"] }))
  .addEdge(START, "age")
  .addEdge(START, "colour")
  .addEdge(["age", "colour"], "thank")
  .addEdge("thank", END)
  .compile();

const request = (action: string, args: object, allowed: object) => ({
  action_request: { action, args },
  config: { allow_accept: true, allow_edit: false, allow_respond: false, allow_ignore: true, ...allowed },
  description: `Before **${action}**`,
});

export const review = new StateGraph(State)
  .addNode("mail", () => ({
    answers: [
      interrupt([
        request("send_email", { to: "ada@example.org", copies: 1 }, { allow_edit: true, allow_respond: true }),
      ]),
    ],
  }))
  .addNode("wipe", () => ({ answers: [interrupt([request("delete_file", { path: "old.txt" }, {})])] }))
  .addEdge(START, "mail")
  .addEdge("mail", "wipe")
  .addEdge("wipe", END)
  .compile();
