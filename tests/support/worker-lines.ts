/**
 * Generates lines that a worker may write: messages of lib/protocol/worker.ts with meaningless content, and anything
 * else.
 */
import fc from "fast-check";

const id = fc.nat(5);
const origin = { run: fc.constantFrom("r", "question:1", "", "__proto__"), token: fc.nat(2) };
const error = fc.record({ error: fc.string(), message: fc.string() });
const place = { thread: fc.string(), ns: fc.string() };
const value = fc.record({ type: fc.string(), data: fc.string() });
const version = fc.record({
  channel: fc.string(),
  version: fc.string(),
  value: fc.oneof(value, fc.record({ keep: fc.nat(), items: fc.array(fc.constantFrom("1", "{}")) })),
});

const tell = fc.record({
  about: fc.constant("checkpoint"),
  do: fc.constant("put"),
  ...place,
  id: fc.string(),
  checkpoint: fc.constant('{"channel_versions":{"a":1}}'),
  metadata: fc.constant("{}"),
  versions: fc.array(version),
});

const ask = fc.oneof(
  fc.record({ about: fc.constant("store"), operations: fc.array(fc.jsonValue()) }),
  fc.record({ about: fc.constant("checkpoint"), do: fc.constant("get"), ...place }),
  fc.record({ about: fc.constant("checkpoint"), do: fc.constant("list"), limit: fc.integer(), filter: fc.object() }),
  fc.record({ about: fc.constant("checkpoint"), do: fc.constant("delete"), thread: fc.string() }),
  tell,
);

/** Messages of each type. The data of an event must be the last member of its line. */
const plausible = fc.oneof(
  fc.record({
    type: fc.constant("event"),
    ...origin,
    event: fc.constantFrom("values", "custom", "updates|node:1", "messages/partial"),
    data: fc.jsonValue(),
  }),
  fc.record({
    type: fc.constant("piece"),
    ...origin,
    event: fc.constantFrom("messages", "messages|node:1"),
    before: fc.constant('[{"content":'),
    after: fc.constantFrom("},{}]", '},{"a":1}]'),
    text: fc.string(),
  }),
  fc.record({ type: fc.constant("values"), ...origin, data: fc.jsonValue() }),
  fc.record(
    { type: fc.constant("end"), ...origin, status: fc.constantFrom("success", "error", "interrupted"), error },
    { requiredKeys: ["type", "run", "token", "status"] },
  ),
  fc.record({ type: fc.constant("ask"), id, ...origin, ask }),
  fc.record({ type: fc.constant("tell"), ...origin, tell }),
  fc.record({ type: fc.constantFrom("described", "stated", "embedded", "guarded", "response", "done"), id, error }),
  fc.record({ type: fc.constant("stated"), id, answer: fc.jsonValue() }),
  fc.record({
    type: fc.constant("embedded"),
    id,
    vectors: fc.array(fc.array(fc.float({ noNaN: true, noDefaultInfinity: true }))),
  }),
  fc.record({ type: fc.constant("guarded"), id, answer: fc.record({ returned: fc.jsonValue() }) }),
  fc.record({ type: fc.constant("chunk"), id, data: fc.base64String() }),
  fc.record({ type: fc.constant("pong"), id: fc.nat() }),
);

/** A line that has the form of a message. */
export const plausibleLine = plausible.map((message) => JSON.stringify(message));

const ready = fc.constant('{"type":"ready","graphs":[{"graph":"g"}],"langgraph":"1"}');

/** A message with one member replaced by any value. */
const mutated = fc
  .tuple(plausible, fc.nat(), fc.oneof(fc.jsonValue(), fc.object({ withNullPrototype: true })))
  .map(([message, at, other]) => {
    const names = Object.keys(message);
    return JSON.stringify({ ...message, [names[at % names.length] ?? ""]: other });
  });

/** A line with something cut out, doubled or inserted. */
const damaged = fc
  .tuple(fc.oneof(plausibleLine, ready), fc.nat(), fc.nat(20), fc.string())
  .map(([line, at, length, other]) => {
    const from = at % (line.length + 1);
    return (line.slice(0, from) + other + line.slice(from + length)).replaceAll("\n", " ");
  });

const anything = fc.oneof(fc.string({ unit: "binary" }), fc.json(), fc.constantFrom("", "null", "{}", "\0", "\ud800"));

/** Anything that can stand in a line. */
export const anyLine = fc.oneof(
  plausibleLine,
  mutated,
  damaged,
  anything.map((text) => text.replaceAll("\n", " ")),
);
