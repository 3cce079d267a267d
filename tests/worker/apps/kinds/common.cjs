const { Annotation, StateGraph } = require("@langchain/langgraph");

const State = Annotation.Root({ said: Annotation() });
exports.graph = new StateGraph(State)
  .addNode("say", () => ({ said: "hello" }))
  .addEdge("__start__", "say")
  .compile();
