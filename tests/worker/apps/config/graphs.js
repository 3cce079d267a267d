import {
  Annotation,
  END,
  InMemoryStore,
  MemorySaver,
  MessagesAnnotation,
  StateGraph,
  START,
} from "@langchain/langgraph";
import { StateSchema, MessagesValue, MessagesZodState } from "@langchain/langgraph";
import { z } from "zod";

const Facts = Annotation.Root({
  facts: Annotation({ reducer: (a, b) => ({ ...a, ...b }), default: () => ({}) }),
  log: Annotation({ reducer: (a, b) => [...a, ...b], default: () => [] }),
});
const one = (node, options) => new StateGraph(Facts).addNode("node", node).addEdge(START, "node").compile(options);

/** Reports what a node sees of its run. */
const sees = (_state, config) => {
  const { __pregel_checkpointer: checkpointer, ...configurable } = config.configurable;
  const shown = Object.entries(configurable).filter(([key]) => !key.startsWith("__pregel_"));
  return {
    facts: {
      configurable: Object.fromEntries(shown.filter(([key]) => !key.startsWith("checkpoint"))),
      context: config.context ?? null,
      tags: config.tags,
      metadata: config.metadata,
      recursionLimit: config.recursionLimit,
      checkpointer: checkpointer?.constructor.name,
      evil: configurable.__pregel_evil ?? null,
      hasSignal: config.signal instanceof AbortSignal,
    },
  };
};
export const seen = one(sees);
export const seenFalse = one(sees, { checkpointer: false });
export const seenTrue = one(sees, { checkpointer: true });
export const seenOwn = one(sees, { checkpointer: new MemorySaver(), store: new InMemoryStore() });

/** Reports the config that the factory receives. */
export const made = (config) => {
  const { signal, store, ...plain } = config;
  return one(() => ({ facts: { made: JSON.parse(JSON.stringify(plain)), runtime: [typeof signal, typeof store] } }));
};

export const stores = one(async (_state, { store }) => {
  const before = await store.get(["runs"], "count");
  await store.put(["runs"], "count", { n: (before?.value.n ?? 0) + 1 });
  const [after, found] = await Promise.all([store.get(["runs"], "count"), store.search(["runs"])]);
  return { facts: { n: after.value.n, found: found.length, none: (await store.get(["runs"], "no")) ?? null } };
});

export const jumps = new StateGraph(Facts)
  .addNode("a", () => ({ log: ["a"] }), { ends: ["b"] })
  .addNode("b", ({ extra }) => ({ log: [`b ${extra ?? ""}`] }))
  .addEdge(START, "a")
  .addEdge("a", END)
  .compile();

/** A stateful subgraph, which counts its calls within a run. */
const counter = new StateGraph(Facts)
  .addNode("count", ({ log }) => ({ log: [`call ${log.length}`] }))
  .addEdge(START, "count")
  .compile({ checkpointer: true });
export const remembers = new StateGraph(Facts)
  .addNode("node", async () => ({ facts: await counter.invoke({ log: ["x"] }), log: ["round"] }))
  .addEdge(START, "node")
  .addConditionalEdges("node", ({ log }) => (log.length < 2 ? "node" : END))
  .compile();

const together = [];
/** Waits until `crowd` runs of it have begun, and tells what it sees of the others' state. */
export const side = one(async (_state, { configurable: { crowd, who, thread_id } }) => {
  await new Promise((resolve) => {
    together.push(resolve);
    if (together.length === crowd) for (const goOn of together.splice(0)) goOn();
  });
  const saved = await side.getState({ configurable: { thread_id } }).catch(() => null);
  return { facts: { who, saved: saved?.values ?? null } };
});

export const zod = new StateGraph(
  {
    state: z.object({ name: z.string(), age: z.number().optional() }),
    input: z.object({ name: z.string() }),
    output: z.object({ age: z.number() }),
  },
  z.object({ model: z.string() }),
)
  .addNode("node", () => ({}))
  .addEdge(START, "node")
  .compile();
export const schema = new StateGraph(new StateSchema({ messages: MessagesValue, n: z.number().default(0) }))
  .addNode("node", () => ({}))
  .addEdge(START, "node")
  .compile();
export const zodMessages = new StateGraph(MessagesZodState)
  .addNode("node", () => ({}))
  .addEdge(START, "node")
  .compile();
export const annotated = new StateGraph(MessagesAnnotation)
  .addNode("node", () => ({}))
  .addEdge(START, "node")
  .compile();
const inner = new StateGraph(MessagesAnnotation)
  .addNode("left", () => ({}))
  .addNode("right", () => ({}))
  .addEdge(START, "left")
  .addConditionalEdges("left", () => "right", ["right", END])
  .compile();
export const drawn = new StateGraph(MessagesAnnotation).addNode("inner", inner).addEdge(START, "inner").compile();
export const undrawable = () => {
  throw new RangeError("no graph today");
};
