import fc from "fast-check";
import { END, type RunEvent } from "../../../lib/protocol/stream.ts";
import type { ThreadEvent } from "../../../lib/protocol/thread-stream.ts";
import { foldRun, type FoldedRun } from "../../../lib/rules/thread-stream/fold.ts";

export const run: FoldedRun = { run_id: "run", graph_id: "graph", position: 0, created_at: "2026-01-05T10:00:00.000Z" };

export const segment = fc.constantFrom("a:1", "a:2", "b:1", "tools:1", "plain");
export const namespace = fc.array(segment, { maxLength: 3 });
const id = fc.constantFrom("m1", "m2", "run-m3");
const text = fc.oneof(fc.string(), fc.constantFrom("Hello", "", "{"));
const block = fc.oneof(
  fc.record({ type: fc.constantFrom("text", "thinking", "reasoning"), text, thinking: text, index: fc.nat(2) }),
  fc.record({ type: fc.constantFrom("image_url", "input_audio", "image", "tool_use", "strange") }),
  fc.jsonValue(),
);
const call = fc.record({ id: fc.constantFrom("c1", "c2"), name: text, args: text, index: fc.nat(2) });
const message = fc.record(
  {
    type: fc.constantFrom("ai", "AIMessageChunk", "tool", "human", "remove"),
    id,
    content: fc.oneof(text, fc.array(block, { maxLength: 3 })),
    tool_call_chunks: fc.array(call, { maxLength: 2 }),
    tool_calls: fc.array(call, { maxLength: 2 }),
    usage_metadata: fc.record({ input_tokens: fc.nat(9), output_tokens: fc.nat(9) }),
    response_metadata: fc.record({ finish_reason: text }),
  },
  { requiredKeys: ["type", "id", "content"] },
);
const task = fc
  .record({ id: fc.constantFrom("1", "2"), name: fc.constantFrom("a", "b", "tools"), begins: fc.boolean() })
  .map(({ begins, ...of }) => (begins ? { ...of, input: {}, triggers: [] } : { ...of, result: {}, interrupts: [] }));
const interrupts = fc.array(fc.record({ id: fc.constantFrom("i1", "i2"), value: fc.jsonValue() }), { maxLength: 2 });
const tool = fc.record({
  event: fc.constantFrom("on_tool_start", "on_tool_event", "on_tool_end", "on_tool_error", "other"),
  toolCallId: fc.constantFrom("c1", "c2"),
  name: text,
});

const eventOf = (name: string, data: fc.Arbitrary<unknown>, weight = 3) => ({
  weight,
  arbitrary: fc.tuple(namespace, data).map(([below, value]) => ({
    event: [name, ...below].join("|"),
    data: JSON.stringify(value),
  })),
});
/** Any event that a run may emit, sensible or not. `events` adds the end. */
const event = fc.oneof(
  eventOf("messages", fc.tuple(message, fc.record({ langgraph_node: segment })), 12),
  eventOf("tasks", task, 6),
  eventOf("values", fc.oneof(fc.record({ n: fc.nat() }), fc.record({ n: fc.nat(), __interrupt__: interrupts }))),
  eventOf("updates", fc.oneof(fc.dictionary(segment, fc.jsonValue()), fc.record({ __interrupt__: interrupts }))),
  eventOf("checkpoints", fc.record({ id: fc.uuid({ version: 6 }), step: fc.nat(), source: fc.constant("loop") })),
  eventOf("custom", fc.oneof(fc.jsonValue(), fc.record({ name: fc.constantFrom("x", "y"), payload: fc.jsonValue() }))),
  eventOf("tools", tool),
  eventOf("debug", fc.jsonValue(), 1),
  eventOf("error", fc.record({ error: text, message: text }), 1),
  eventOf("metadata", fc.record({ attempt: fc.nat() }), 1),
  {
    weight: 1,
    arbitrary: fc.record({ event: fc.string(), data: fc.jsonValue().map((value) => JSON.stringify(value)) }),
  },
);
export const events: fc.Arbitrary<RunEvent[]> = fc
  .tuple(fc.array(event, { maxLength: 40 }), fc.constantFrom("success", "error", "interrupted", "timeout"))
  .map(([list, status]) => {
    const begin = { event: "metadata", data: '{"attempt":1}' };
    const end = { event: END, data: JSON.stringify({ status }) };
    return [begin, ...list.filter(({ event: name }) => name !== END), end].map((one, number) => ({
      id: number,
      ...one,
    }));
  });

export function replay(list: readonly RunEvent[], of: FoldedRun = run): ThreadEvent[] {
  const fold = foldRun(of);
  return list.flatMap((one) => fold.take(one));
}
