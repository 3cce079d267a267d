/** Code that writes to the server's channel itself, past the worker that runs it. */
import { once } from "node:events";
import { writeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { Annotation, StateGraph } from "@langchain/langgraph";

const State = Annotation.Root({ lines: Annotation(), bytes: Annotation() });
const one = (node) => new StateGraph(State).addNode("node", node).addEdge("__start__", "node").compile();

/** Writes the given lines to its channel. `RUN` and `TOKEN` are replaced by its own. */
export const scribbles = one(async ({ lines }, config) => {
  const { run_id, run_attempt } = config.metadata;
  for (const line of lines) writeSync(3, `${line.replaceAll("RUN", run_id).replaceAll("TOKEN", run_attempt)}\n`);
  await sleep(200);
  return { bytes: 0 };
});

/** Sends this many bytes of requests as fast as the channel takes them. */
export const asks = one(async ({ bytes }, config) => {
  const channel = process._getActiveHandles().find((handle) => handle._handle?.fd === 3);
  const { run_id: run, run_attempt: token } = config.metadata;
  const ask = { about: "store", operations: [{ do: "get", namespace: ["a"], key: "b" }] };
  let written = 0;
  while (written < bytes) {
    let text = "";
    for (let id = 0; id < 500; id++) text += `${JSON.stringify({ type: "ask", id: 1e9 + id, run, token, ask })}\n`;
    written += text.length;
    if (!channel.write(text)) await once(channel, "drain");
  }
  return { bytes: written };
});
