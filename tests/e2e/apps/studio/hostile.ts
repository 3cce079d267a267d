// Names and values that a page must show as text. LangGraph itself refuses `:` and `|` in names of nodes, and `__proto__`.
import { Annotation, END, START, StateGraph } from "@langchain/langgraph";

const MARKUP = "<img src=x onerror=alert(1)>";
const KEY = `${MARKUP} key`;
const LONG = `long ${"name ".repeat(60)}`.trim();

const State = Annotation.Root({
  [KEY]: Annotation<unknown>(),
  "a:b": Annotation<unknown>(),
  text: Annotation<string>(),
});

export const hostile = new StateGraph(State)
  .addNode(MARKUP, () => ({
    [KEY]: "<script>document.title = 'owned'</script>",
    "a:b": JSON.parse('{"__proto__": {"polluted": true}, "constructor": 1, "\\u0000": "\\u0000", "‮rtl": "\\ud800"}'),
  }))
  .addNode(LONG, () => ({ text: "javascript:alert(1)" }))
  .addNode("subgraph", () => ({}))
  .addNode(" ", () => ({}))
  .addNode("‮desrever \"]]> & 'quotes'\n\ttab", () => ({}))
  .addEdge(START, MARKUP)
  .addConditionalEdges(MARKUP, () => "a:b", { "a:b": LONG, "<b>bold</b>": "subgraph", ["__proto__"]: " " })
  .addEdge(LONG, "‮desrever \"]]> & 'quotes'\n\ttab")
  .addEdge("subgraph", END)
  .addEdge(" ", END)
  .addEdge("‮desrever \"]]> & 'quotes'\n\ttab", END)
  .compile();
