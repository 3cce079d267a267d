/** Measures how fast LangGraph alone runs a graph, whose stream is read in this process. Prints one line of JSON. */
import { MemorySaver } from "@langchain/langgraph";
import { one, tokens } from "./app/graphs.mjs";
import { measure } from "./measure.ts";
import { lendThreads } from "./turns.ts";

const graphs = { one: { graph: one, mode: "updates" }, tokens: { graph: tokens, mode: "messages" } } as const;
const [name, connections, seconds, kept] = process.argv.slice(2);
const { graph, mode } = graphs[name as keyof typeof graphs];
if (kept) graph.checkpointer = new MemorySaver();
const input = { messages: [{ role: "user", content: "hello" }] };
const lend = lendThreads();

const result = await measure(Number(connections), Number(seconds), (first) =>
  lend(async (thread_id) => {
    const config = { streamMode: mode, configurable: { thread_id } };
    for await (const chunk of await graph.stream(input, config)) if (chunk) first();
  }),
);
console.log(JSON.stringify(result));
