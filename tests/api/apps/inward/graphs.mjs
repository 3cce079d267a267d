import { Annotation, END, START, StateGraph } from "@langchain/langgraph";
import { Client } from "@langchain/langgraph-sdk";

/** Created while the module loads, before the server listens. */
const early = new Client({ apiKey: null });

const State = Annotation.Root({
  word: Annotation(),
  url: Annotation(),
  answer: Annotation(),
  environment: Annotation(),
});

const graphOf = (node) =>
  new StateGraph(State).addNode("node", node).addEdge(START, "node").addEdge("node", END).compile();

export const inner = graphOf(({ word }) => ({ word: `${word}!` }));

export const outer = graphOf(async ({ word, url }) => {
  const client = url ? new Client({ apiUrl: url, apiKey: null }) : new Client();
  try {
    const { thread_id } = await early.threads.create();
    const said = [];
    for await (const { event, data } of client.runs.stream(thread_id, "inner", { input: { word } }))
      if (event === "values") said.push(data.word);
    const { values } = await early.threads.get(thread_id);
    return { answer: { said, kept: values.word }, environment: JSON.stringify(process.env) };
  } catch (error) {
    return { answer: String(error), environment: JSON.stringify(process.env) };
  }
});
