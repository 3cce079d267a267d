import fc from "fast-check";
import { expect, test } from "vitest";
import { AIMessageChunk } from "@langchain/core/messages";
import { readChunks } from "../../../lib/worker/runs/chunks.ts";
import type { EventSink } from "../../../lib/worker/runs/merging-sink.ts";

/** Creates a receiver that is full when the test says so. */
function receiver() {
  const events: { event: string; data: unknown }[] = [];
  let full = false;
  let waiting: (() => void)[] = [];
  const sink: EventSink = {
    send: (event, data) => events.push({ event, data: JSON.parse(data) }),
    sendPiece: ({ event, before, after }, text) => events.push({ event, data: JSON.parse(before + text + after) }),
    get full() {
      return full;
    },
    drained: () => (full ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve()),
  };
  return {
    sink,
    events,
    fill: () => void (full = true),
    async drain() {
      full = false;
      for (const resolve of waiting) resolve();
      waiting = [];
      await Promise.resolve();
    },
  };
}

const metadata = { langgraph_node: "model" };
const token = (id: string, content: string) => ["messages", [new AIMessageChunk({ content, id }), metadata]];

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("token" as const),
      id: fc.constantFrom("a", "b"),
      text: fc.string({ maxLength: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("custom" as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("fill" as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("drain" as const) }) },
);

test("whenever the receiver is full, no text is lost, and what is not a token keeps its place", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const { sink, events, fill, drain } = receiver();
      const reader = readChunks({ modes: ["messages-tuple", "messages", "custom"], subgraphs: false }, sink, {
        interruptsInValues: true,
      });
      const expected: Record<string, string> = { a: "", b: "" };
      const before: Record<string, string>[] = [];
      for (const each of steps) {
        if (each.do === "fill") fill();
        else if (each.do === "drain") await drain();
        else if (each.do === "custom") {
          before.push({ ...expected });
          reader.take(["custom", before.length - 1]);
        } else if (each.do === "token") {
          expected[each.id] += each.text;
          reader.take(token(each.id, each.text));
        }
      }
      reader.end();

      const joined: Record<string, string> = { a: "", b: "" };
      const partial: Record<string, string> = { a: "", b: "" };
      for (const { event, data } of events) {
        if (event === "messages") {
          const [{ id, content }] = data as [{ id: string; content: string }];
          joined[id] += content;
        } else if (event === "messages/partial") {
          const [{ id, content }] = data as [{ id: string; content: string }];
          expect(content.startsWith(partial[id] ?? "")).toBe(true);
          partial[id] = content;
        } else if (event === "custom") {
          expect({ joined, partial }).toEqual({ joined: before[data as number], partial: before[data as number] });
        }
      }
      expect(joined).toEqual(expected);
      expect(partial).toEqual(expected);
    }),
    { numRuns: 300 },
  );
});

test("a receiver that is full through a whole reply gets one event for its 2,000 tokens", () => {
  const { sink, events, fill } = receiver();
  const reader = readChunks({ modes: ["messages"], subgraphs: false }, sink, { interruptsInValues: true });
  reader.take(token("a", "0 "));
  fill();
  for (let i = 1; i < 2_000; i++) reader.take(token("a", `${i} `));
  expect(reader.overrun).toBe(false);
  reader.end();
  const partials = events.filter(({ event }) => event === "messages/partial");
  expect(partials).toHaveLength(2);
});

test("a full receiver gets one event that cannot be merged, and no more until it has drained", async () => {
  const { sink, events, fill, drain } = receiver();
  const reader = readChunks({ modes: ["custom"], subgraphs: false }, sink, { interruptsInValues: true });
  reader.take(["custom", 1]);
  fill();
  expect(reader.overrun).toBe(false);
  reader.take(["custom", 2]);
  expect(reader.overrun).toBe(true);
  await drain();
  expect(reader.overrun).toBe(false);
  expect(events).toHaveLength(2);
});
