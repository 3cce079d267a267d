import { AIMessage } from "@langchain/core/messages";
import { Annotation, END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";

const Spin = Annotation.Root({ round: Annotation({ reducer: (_, next) => next, default: () => 0 }) });

/** The time that each step computes, in ms: 10,000 steps last longer than a test. */
const STEP_MS = 10;

/** Goes on until the recursion limit, and never waits. */
export const spin = new StateGraph(Spin)
  .addNode("compute", ({ round }) => {
    for (const begin = performance.now(); performance.now() - begin < STEP_MS;);
    return { round: round + 1 };
  })
  .addEdge(START, "compute")
  .addConditionalEdges("compute", () => "again", { again: "compute", done: END })
  .compile();

export const say = new StateGraph(MessagesAnnotation)
  .addNode("say", () => ({ messages: [new AIMessage("hi")] }))
  .addEdge(START, "say")
  .addEdge("say", END)
  .compile();
