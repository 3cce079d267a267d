// Unusual states: 1 MB or more, values that the schema denies, a number in place of an object, and messages that no client knows.
import { ChatMessage, HumanMessage } from "@langchain/core/messages";
import { Annotation, END, entrypoint, START, StateGraph, StateSchema } from "@langchain/langgraph";
import { z } from "zod";

const Heavy = Annotation.Root({
  text: Annotation<string>(),
  rows: Annotation<object[]>(),
  times: Annotation<number | undefined>(),
});

/** A state of 1 MB, or of `times` as much: half of it one text, half of it 5,000 rows. */
export const heavy = new StateGraph(Heavy)
  .addNode("fill", ({ times = 1 }) => ({
    text: "All work and no play. ".repeat(23_000 * times),
    rows: Array.from({ length: 5000 * times }, (_, row) => ({
      row,
      name: `row ${row}`,
      note: "x".repeat(60),
      tags: ["a", "b"],
    })),
  }))
  .addEdge(START, "fill")
  .addEdge("fill", END)
  .compile();

/** Takes a list of numbers, and its state is a number. */
export const sum = entrypoint("add up", (numbers: number[]) =>
  Promise.resolve(Array.isArray(numbers) ? numbers.reduce((total, one) => total + one, 0) : null),
);

const Liar = new StateSchema({
  count: z.unknown().meta({ type: "number" }),
  list: z.unknown().meta({ type: "array", items: { type: "string" } }),
  messages: z.unknown().meta({ type: "array", items: { type: "string" } }),
});

/** Its schema tells of a number and two lists of texts. Its node writes other things. */
export const liar = new StateGraph(Liar)
  .addNode("lie", () => ({ count: { deep: ["a text"] }, list: "no list", messages: { 0: null } }))
  .addEdge(START, "lie")
  .addEdge("lie", END)
  .compile();

const Loose = new StateSchema({ text: z.string(), note: z.unknown() });

/** Takes any JSON as its note. */
export const loose = new StateGraph(Loose)
  .addNode("keep", ({ note }) => ({ note }))
  .addEdge(START, "keep")
  .addEdge("keep", END)
  .compile();

const Foreign = Annotation.Root({ messages: Annotation<unknown[]>() });

export const foreign = new StateGraph(Foreign)
  .addNode("say", () => ({
    messages: [
      new HumanMessage("hello"),
      new ChatMessage("I disagree.", "critic"),
      { type: "telegram", content: "STOP", from: { planet: 4 } },
      {
        type: "ai",
        content: [
          { type: "hologram", data: "????" },
          { type: "text", text: "half known" },
        ],
      },
      "not even an object",
      null,
    ],
  }))
  .addEdge(START, "say")
  .addEdge("say", END)
  .compile();
