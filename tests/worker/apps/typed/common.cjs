const { Annotation, MessagesAnnotation, START, StateGraph } = require("@langchain/langgraph");

const State = Annotation.Root({ ...MessagesAnnotation.spec, topic: Annotation() });
exports.graph = new StateGraph(State)
  .addNode("work", () => ({}))
  .addEdge(START, "work")
  .compile();
