import { setTimeout as sleep } from "node:timers/promises";
import { Annotation, entrypoint, StateGraph, task } from "@langchain/langgraph";

const State = Annotation.Root({ n: Annotation(), slow: Annotation() });

/** Fails at once after a step; with `slow`, when everything before has been read. */
async function fail({ slow }) {
  if (slow) await sleep(20);
  throw new RangeError("kaput");
}

export const throws = new StateGraph(State)
  .addNode("works", (_state, { writer }) => {
    writer("half");
    writer("done");
    return { n: 1 };
  })
  .addNode("bad", fail)
  .addEdge("__start__", "works")
  .addEdge("works", "bad")
  .compile();

export const below = new StateGraph(State)
  .addNode("first", () => ({ n: 0 }))
  .addNode("inner", throws)
  .addEdge("__start__", "first")
  .addEdge("first", "inner")
  .compile();

const work = task("work", (_input, { writer }) => {
  writer("half");
  return 1;
});
export const functional = entrypoint("functional", async (input, config) => {
  await work(input, config);
  await fail(input);
});

/** Two nodes set one value in the same step. */
export const conflict = new StateGraph(State)
  .addNode("works", () => ({ n: 1 }))
  .addNode("one", () => ({ n: 2 }))
  .addNode("two", () => ({ n: 3 }))
  .addEdge("__start__", "works")
  .addEdge("works", "one")
  .addEdge("works", "two")
  .compile();

export const endless = new StateGraph(State)
  .addNode("again", ({ n = 0 }) => ({ n: n + 1 }))
  .addEdge("__start__", "again")
  .addEdge("again", "again")
  .compile();

export const floods = new StateGraph(State)
  .addNode("bad", (_state, { writer }) => {
    for (let n = 0; n < 2_000; n++) writer({ n, text: "x".repeat(1_000) });
    throw new RangeError("kaput");
  })
  .addEdge("__start__", "bad")
  .compile();
