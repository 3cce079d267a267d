// Defines state whose types are only in the source: the running graph knows the names of its channels, and no more.
import { type BaseMessage, HumanMessage } from "@langchain/core/messages";
import {
  Annotation,
  entrypoint,
  MessagesAnnotation,
  messagesStateReducer,
  START,
  StateGraph,
} from "@langchain/langgraph";
import type { Plan } from "./plan.js";

const State = Annotation.Root({
  ...MessagesAnnotation.spec,
  /** What to find out. */
  question: Annotation<string>,
  mood: Annotation<"calm" | "busy">,
  level: Annotation<1 | 2 | null>,
  score: Annotation<number | undefined>,
  sources: Annotation<string[], string | string[]>({
    reducer: (known, found) => known.concat(found),
    default: () => [],
  }),
  plan: Annotation<Plan>,
  since: Annotation<Date>,
  counts: Annotation<Map<string, number>>,
  totals: Annotation<Record<string, number>>,
  pair: Annotation<[string, number?]>,
  notes: Annotation<BaseMessage[]>({ reducer: (a, b) => [...a, ...b], default: () => [] }),
  last: Annotation<HumanMessage | null>,
  whatever: Annotation,
});

const Input = Annotation.Root({ question: Annotation<string>, mood: Annotation<"calm" | "busy"> });
const Output = Annotation.Root({ sources: Annotation<string[]> });
const Context = Annotation.Root({ tone: Annotation<"warm" | "dry">, limit: Annotation<number | undefined> });

const builder = new StateGraph({ stateSchema: State, input: Input, output: Output }, Context)
  .addNode("work", ({ question }) => ({ sources: [question] }))
  .addEdge(START, "work");

export const compiled = builder.compile();
export const uncompiled = builder;
export const promised = Promise.resolve(compiled);
export const factory = (config: { configurable?: Record<string, unknown> }) =>
  config.configurable?.["slow"] === true ? Promise.resolve(builder.compile()) : builder;
export const wrapped = { graph: compiled, name: "wrapped" };

const Chat = Annotation.Root({ messages: Annotation<BaseMessage[]>({ reducer: messagesStateReducer }) });
const child = new StateGraph(State)
  .addNode("work", () => ({}))
  .addNode("rest", () => ({}))
  .addEdge(START, "work")
  .addEdge("work", "rest")
  .compile();
const middle = new StateGraph(State)
  .addNode("first", () => ({}))
  .addNode("inner", child)
  .addEdge(START, "first")
  .addEdge("first", "inner")
  .compile();

export const family = new StateGraph(Chat)
  .addNode("chat", () => ({ messages: [new HumanMessage("hi")] }))
  .addNode("middle", middle)
  .addNode("middling", child)
  .addEdge(START, "chat")
  .addEdge("chat", "middle")
  .addEdge("middle", "middling")
  .compile();

interface Loose {
  [key: string]: unknown;
  id: bigint;
}

class Account {
  constructor(
    readonly name: string,
    private secret: string,
  ) {}
  describe(): string {
    return `${this.name} ${this.secret.length}`;
  }
}

type Branded = string & { readonly __brand: "id" };
type Endless<T> = { value: T; next?: Endless<T[]> };

const Odd = Annotation.Root({
  loose: Annotation<Loose>,
  account: Annotation<Account>,
  branded: Annotation<Branded>,
  endless: Annotation<Endless<string>>,
  call: Annotation<() => void>,
  never: Annotation<never>,
  bytes: Annotation<Uint8Array>,
  none: Annotation<unknown>,
});
export const odd = new StateGraph(Odd)
  .addNode("work", () => ({}))
  .addEdge(START, "work")
  .compile();

export const functional = entrypoint("functional", async (input: { city: string; days?: number }) => ({
  forecast: `${input.city} ${input.days ?? 1}`,
}));
