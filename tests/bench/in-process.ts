/** Measures the engine's own limit: a graph's stream, drained in this process. Prints one JSON line. */
import { one, tokens } from "./app/graphs.mjs";
import { measure } from "./measure.ts";

const graphs = { one: { graph: one, mode: "updates" }, tokens: { graph: tokens, mode: "messages" } } as const;
const [name, connections, seconds] = process.argv.slice(2);
const { graph, mode } = graphs[name as keyof typeof graphs];
const input = { messages: [{ role: "user", content: "hello" }] };

const result = await measure(Number(connections), Number(seconds), async (first) => {
  for await (const chunk of await graph.stream(input, { streamMode: mode })) if (chunk) first();
});
console.log(JSON.stringify(result));
