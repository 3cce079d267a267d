/** LangGraph before 0.3 reports interrupts in `updates` alone, and without ids. */
import { describe, expect, test } from "vitest";
import { readChunks } from "../../lib/worker/runs/chunks.ts";

const interrupts = [{ value: { question: "Go?" }, when: "during", resumable: true, ns: ["ask:57dc57f9"] }];
const state = { messages: [{ type: "human", content: "hi", id: "h1" }] };

type Modes = Parameters<typeof readChunks>[0]["modes"];

/** Returns the events of the stream that LangGraph 0.2.74 gave in these modes. */
function eventsOf(modes: Modes, subgraphs = false) {
  const events: { event: string; data: unknown }[] = [];
  const sink = {
    send: (event: string, data: string) => void events.push({ event, data: JSON.parse(data) as unknown }),
    sendPiece: () => expect.unreachable(),
    full: false,
    drained: () => Promise.resolve(),
  };
  const reader = readChunks({ modes, subgraphs }, sink, { interruptsInValues: false });
  const at = subgraphs ? [["below:1"]] : [];
  const stream = [
    ["values", state],
    ["updates", { greet: null }],
    ["updates", { __interrupt__: interrupts }],
  ] as const;
  for (const [mode, data] of stream) {
    if (reader.modes.includes(mode)) reader.take([...at, mode, data]);
  }
  reader.end();
  return events;
}

describe("an interrupt of LangGraph 0.2", () => {
  test("appears with the state that it interrupts, if values are requested", () => {
    expect(eventsOf(["values"])).toEqual([
      { event: "values", data: state },
      { event: "values", data: { ...state, __interrupt__: interrupts } },
    ]);
  });

  test("appears in both modes if both are requested, and nothing else appears twice", () => {
    expect(eventsOf(["values", "updates"]).map(({ event }) => event)).toEqual([
      "values",
      "updates",
      "updates",
      "values",
    ]);
  });

  test("appears in updates alone if values are not requested", () => {
    expect(eventsOf(["updates"])).toEqual([
      { event: "updates", data: { greet: null } },
      { event: "updates", data: { __interrupt__: interrupts } },
    ]);
  });

  test("in a subgraph appears there", () => {
    expect(eventsOf(["values"], true).at(-1)).toEqual({
      event: "values|below:1",
      data: { ...state, __interrupt__: interrupts },
    });
  });
});
