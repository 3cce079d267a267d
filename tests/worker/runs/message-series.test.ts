import { AIMessageChunk, HumanMessageChunk } from "@langchain/core/messages";
import fc from "fast-check";
import { expect, test } from "vitest";
import { lineDecoder } from "../../../lib/protocol/worker-lines.ts";
import { jsonOf } from "../../../lib/worker/plain.ts";
import { eventLines } from "../../../lib/worker/runs/event-lines.ts";
import { mergingSink } from "../../../lib/worker/runs/merging-sink.ts";
import { messageEvents } from "../../../lib/worker/runs/message-events.ts";

/** Sends messages as a worker does, and reads their lines as a host does. */
function channel(isCrowded = false) {
  const lines: string[] = [];
  const encode = eventLines({ run: "r", token: 1 }, () => isCrowded);
  const sink = mergingSink({
    send: (event, data) => lines.push(encode.event(event, data)),
    sendPiece: (template, text) => lines.push(encode.piece(template, text)),
    full: false,
    drained: () => Promise.resolve(),
  });
  const read = lineDecoder();
  return {
    lines,
    events: messageEvents(new Set(["messages-tuple"]), sink),
    other: (data: unknown): void => sink.send("custom", jsonOf(data)),
    read: () =>
      lines.map((line) => {
        const { event, data } = read(line.slice(0, -1)) as { event: string; data: string };
        return { event, data: JSON.parse(data) as unknown };
      }),
  };
}

const METADATA = [{ langgraph_node: "a" }, { langgraph_node: "b", tags: ["x"] }, { long: "x".repeat(10_000) }];
const content = fc.oneof(
  { weight: 8, arbitrary: fc.string({ unit: "grapheme" }) },
  { weight: 1, arbitrary: fc.constant("\ud800") },
  { weight: 1, arbitrary: fc.constant([{ type: "text", text: "part" }]) },
);
const usage = { input_tokens: 1, output_tokens: 2, total_tokens: 3 };
const extras = fc.record(
  {
    id: fc.constantFrom("m1", "m2"),
    name: fc.constantFrom("one", "two"),
    additional_kwargs: fc.constantFrom({}, { a: 1 }, { toJSON: () => 1 }),
    response_metadata: fc.constantFrom({}, { model: "m" }),
    tool_call_chunks: fc.constantFrom(
      [],
      [{ name: "t", args: "{}", id: "c", index: 0, type: "tool_call_chunk" as const }],
    ),
    usage_metadata: fc.constant(usage),
  },
  { requiredKeys: ["id"] },
);
const step = fc.record({
  content,
  extras: fc.oneof({ weight: 5, arbitrary: fc.constant({ id: "m1" }) }, extras),
  isHuman: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, fc.constant(true)),
  metadata: fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, fc.nat(2)),
  below: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, fc.constant(true)),
  other: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, fc.constant(true)),
});

test("pieces reach the host as they are, whatever they have in common", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), fc.boolean(), (steps, isCrowded) => {
      const { events, other, read } = channel(isCrowded);
      const expected: { event: string; data: unknown }[] = [];
      for (const one of steps) {
        const fields = { ...one.extras, content: one.content };
        const message = one.isHuman ? new HumanMessageChunk(fields as never) : new AIMessageChunk(fields as never);
        const metadata = METADATA[one.metadata];
        events.take([message, metadata], one.below ? ["node:1"] : []);
        const data = JSON.parse(`[${jsonOf(message)},${jsonOf(metadata)}]`) as unknown;
        expected.push({ event: one.below ? "messages|node:1" : "messages", data });
        if (!one.other) continue;
        other(one.content);
        expected.push({ event: "custom", data: JSON.parse(jsonOf(one.content)) });
      }
      expect(read()).toEqual(expected);
    }),
    { numRuns: 500 },
  );
});

test("what a node changes in a message after it was sent changes nothing that was sent", () => {
  const { events, read } = channel();
  const kwargs: { late?: number } = {};
  for (const text of ["a", "b", "c"]) {
    events.take([new AIMessageChunk({ content: text, id: "m", additional_kwargs: kwargs }), METADATA[0]], []);
    if (text === "b") kwargs.late = 1;
  }
  expect(read().map(({ data }) => (data as { additional_kwargs: object }[])[0]?.additional_kwargs)).toEqual([
    {},
    {},
    { late: 1 },
  ]);
});

test("the text around the pieces of a message is sent twice at most", () => {
  const { events, lines } = channel();
  for (let n = 0; n < 100; n++) events.take([new AIMessageChunk({ content: String(n), id: "m" }), METADATA[1]], []);
  expect(lines.filter((line) => line.includes("langgraph_node"))).toHaveLength(2);
  expect(lines.at(-1)).toBe('{"type":"piece","run":"r","token":1,"text":"99"}\n');
});
