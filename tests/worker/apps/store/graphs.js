import { Annotation, getStore, START, StateGraph } from "@langchain/langgraph";

const State = Annotation.Root({ actions: Annotation(), results: Annotation() });
const one = (node) => new StateGraph(State).addNode("node", node).addEdge(START, "node").compile();

/** Marks the classes in a result, since only JSON leaves the process. */
const asJson = (result) =>
  JSON.parse(
    JSON.stringify(result ?? null, function (key, value) {
      const raw = this[key];
      return raw instanceof Date ? `Date ${raw.getTime()}` : value;
    }),
  );

/** Executes the given actions on its store one by one, and reports their results. */
export const operate = one(async ({ actions }, config) => {
  const results = [];
  for (const { verb, args } of actions) {
    try {
      results.push(asJson(await config.store[verb](...args)));
    } catch (error) {
      results.push({ error: error.name, message: error.message });
    }
  }
  return { results };
});

/** Executes all actions within one tick, and reports the results in their order. */
export const together = one(async ({ actions }) => {
  const store = getStore();
  return { results: (await Promise.all(actions.map(({ verb, args }) => store[verb](...args)))).map(asJson) };
});

/** Uses values and filters that have no JSON form. */
export const odd = one(async (_state, { store }) => {
  const value = { at: new Date(0), list: new Set([1]), big: 12n, none: undefined, nan: Number.NaN };
  await store.put(["odd"], "k", value);
  const errors = [];
  const attempts = [
    () => store.put(["odd"], "k", "text"),
    () => store.search(["odd"], { filter: { user: undefined } }),
    () => store.search(["odd"], { filter: { user: { $like: "x" } } }),
    () => store.get("odd", "k"),
    () => store.put(["odd"], "\0", {}),
  ];
  for (const attempt of attempts)
    await attempt().then(
      () => errors.push("none"),
      (error) => errors.push(error.message),
    );
  return { results: [asJson((await store.get(["odd"], "k")).value), errors] };
});

/** Starts a write that nobody awaits. It must be stored when the run ends. */
export const forgetful = one((_state, { store }) => {
  void store.put(["forgotten"], "k", { n: 1 });
  return { results: [] };
});

export const lengths = async (texts) => texts.map((text) => Float32Array.of(text.length, 1));
export const model = {
  embedDocuments: async (texts) => texts.map((text) => [text.length, 0]),
  embedQuery: async (text) => [text.length, 1],
};
export const wrong = async () => "no vectors";
export const broken = async () => {
  throw new RangeError(`no model in ${import.meta.dirname}/models`);
};
export const number = 7;
