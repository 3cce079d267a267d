import { Annotation, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";

const State = Annotation.Root({ ...MessagesAnnotation.spec, topic: Annotation() });
export const graph = new StateGraph(State)
  .addNode("work", () => ({}))
  .addEdge(START, "work")
  .compile();
