import { setTimeout as sleep } from "node:timers/promises";
import { Annotation, END, START, StateGraph } from "@langchain/langgraph";
import { version } from "./version.mjs";

/** Process ids are not unique: in its own namespace, each process may have the same. */
const thisProcess = crypto.randomUUID();

const says = version + process.env.MARK;
const State = Annotation.Root({ n: Annotation(), ms: Annotation(), before: Annotation(), said: Annotation() });

export const quick = new StateGraph(State)
  .addNode("say", async ({ ms }) => {
    if (ms) await sleep(ms);
    return { said: says };
  })
  .addEdge(START, "say")
  .addEdge("say", END)
  .compile();

/** Its second step waits for an answer from HOLDER. */
export const patient = new StateGraph(State)
  .addNode("begin", () => ({ before: says }))
  .addNode("wait", async () => {
    await fetch(`${process.env.HOLDER}/${thisProcess}`);
    return { said: says };
  })
  .addEdge(START, "begin")
  .addEdge("begin", "wait")
  .addEdge("wait", END)
  .compile();
