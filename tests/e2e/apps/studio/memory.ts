// A store with search by meaning, and a graph that fills it.
import { Annotation, END, START, StateGraph } from "@langchain/langgraph";

/** Vectors of two numbers: how often a text has the letters a and b. */
export const embed = (texts: string[]) => texts.map((text) => [text.split("a").length - 1, text.split("b").length - 1]);

const State = Annotation.Root({ count: Annotation<number | undefined>(), stored: Annotation<number>() });

/** Stores `count` items (10 without it) over 20 namespaces; every hundredth can be found by meaning. */
export const remember = new StateGraph(State)
  .addNode("fill", async ({ count }, { store }) => {
    const total = count ?? 10;
    const put = async (n: number) => {
      const value = { text: `${"a".repeat(n % 5)} and ${"b".repeat(n % 7)}`, n, nested: { even: n % 2 === 0 } };
      await store?.put(["notes", `user ${n % 20}`], `item ${n}`, value, n % 100 === 0 ? undefined : false);
    };
    for (let from = 0; from < total; from += 500) {
      await Promise.all(Array.from({ length: Math.min(500, total - from) }, (_, n) => put(from + n)));
    }
    return { stored: total };
  })
  .addEdge(START, "fill")
  .addEdge("fill", END)
  .compile();
