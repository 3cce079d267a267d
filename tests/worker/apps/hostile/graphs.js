import { HumanMessage } from "@langchain/core/messages";
import { Annotation, StateGraph } from "@langchain/langgraph";

const circular = { name: "loop" };
circular.self = circular;
let deep = {};
for (let i = 0; i < 5000; i++) deep = { deep };

const values = {
  bigint: 12345678901234567890n,
  circular,
  error: new RangeError("bad"),
  map: new Map([["a", new Set([1, 2])]]),
  keys: new Map([[{ k: 1 }, 1]]),
  date: new Date(0),
  noDate: new Date(NaN),
  code: () => 1,
  missing: undefined,
  symbol: Symbol("s"),
  nan: NaN,
  pattern: /a+/g,
  bytes: new Uint8Array([1, 2, 3]),
  list: [1n, undefined, () => 1],
  throwsToJson: {
    kept: 1,
    toJSON() {
      throw new Error("no");
    },
  },
  throwsOnRead: {
    get value() {
      throw new Error("no");
    },
  },
  link: new URL("http://localhost/a"),
  messages: [new HumanMessage({ content: "hi", id: "m" })],
  text: 'line\none,"data":x\u2028\ud800',
  ["__proto__"]: 1,
};

const State = Annotation.Root({ values: Annotation(), n: Annotation() });
export const graph = new StateGraph(State)
  .addNode("tell", (_state, config) => {
    config.writer?.(values);
    config.writer?.(() => 1);
    config.writer?.(deep);
    return { values };
  })
  .addEdge("__start__", "tell")
  .compile();

const huge = (size) => Array.from({ length: size }, () => "x".repeat(2 ** 20));
export const tooLarge = new StateGraph(State)
  .addNode("tell", ({ n }) => ({ values: huge(n) }))
  .addEdge("__start__", "tell")
  .compile();

class NotFoundError extends Error {}
const throwing = (thrown) =>
  new StateGraph(State)
    .addNode("tell", () => {
      throw thrown();
    })
    .addEdge("__start__", "tell")
    .compile();
export const ownClass = throwing(() => new NotFoundError("nothing"));
export const text = throwing(() => "just text");
export const object = throwing(() => ({ code: 7n }));
export const file = throwing(() => new Error(`cannot read ${import.meta.dirname}/data.txt`));
export const oddError = throwing(() => Object.assign(new Error("x"), { message: { a: 1n }, name: 5 }));
