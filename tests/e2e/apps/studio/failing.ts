// Nodes that fail: one works at its third attempt, the other never does.
import { Annotation, END, START, StateGraph } from "@langchain/langgraph";

const State = Annotation.Root({ attempts: Annotation<number>(), text: Annotation<string>() });
const retryPolicy = { maxAttempts: 3, initialInterval: 20, backoffFactor: 1, jitter: false, retryOn: () => true };

const failed = new Map<string, number>();

export const flaky = new StateGraph(State)
  .addNode("begin", () => ({ text: "begun" }))
  .addNode(
    "try",
    (_state, { configurable }) => {
      const key = String(configurable?.run_id ?? configurable?.thread_id);
      const attempts = (failed.get(key) ?? 0) + 1;
      failed.set(key, attempts);
      if (attempts < 3) throw new Error(`attempt ${attempts} failed`);
      failed.delete(key);
      return { attempts };
    },
    { retryPolicy },
  )
  .addEdge(START, "begin")
  .addEdge("begin", "try")
  .addEdge("try", END)
  .compile();

export const doomed = new StateGraph(State)
  .addNode("begin", () => ({ text: "begun" }))
  .addNode(
    "fail",
    () => {
      throw new RangeError("value 12 is out of range");
    },
    { retryPolicy: { ...retryPolicy, maxAttempts: 2 } },
  )
  .addNode("after", () => ({ text: "never" }))
  .addEdge(START, "begin")
  .addEdge("begin", "fail")
  .addEdge("fail", "after")
  .addEdge("after", END)
  .compile();
