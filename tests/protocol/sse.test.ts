import { createParser, type EventSourceMessage } from "eventsource-parser";
import fc from "fast-check";
import { expect, test } from "vitest";
import { encodeSse, HEARTBEAT } from "../../lib/protocol/sse.ts";

/** Reads a stream in pieces with an independent parser. */
function read(pieces: readonly string[]): EventSourceMessage[] {
  const events: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => events.push(event) });
  for (const piece of pieces) parser.feed(piece);
  return events;
}

function split(text: string, cuts: readonly number[]): string[] {
  const places = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].toSorted((a, b) => a - b);
  return [0, ...places].map((from, index) => text.slice(from, places[index] ?? text.length));
}

const name = fc.string({ minLength: 1 }).filter((text) => !/[\r\n\0]/.test(text) && !text.startsWith(" "));
const event = fc.record({ event: name, data: fc.json(), id: fc.nat().map(String) });

test("encoded events are read again wherever the bytes are split", () => {
  fc.assert(
    fc.property(fc.array(event), fc.array(fc.nat()), (events, cuts) => {
      const text = events.map(encodeSse).join(HEARTBEAT);
      expect(read(split(text, cuts))).toEqual(events);
    }),
  );
});

test("no text in name, data or id can start a second event", () => {
  const hostile = fc.string({ unit: fc.constantFrom("\n", "\r", "data: x", "id: 9", "event: y", ":", " ", "a") });
  fc.assert(
    fc.property(hostile, hostile, hostile, (eventName, data, id) => {
      expect(read([encodeSse({ event: eventName, data, id })])).toHaveLength(1);
    }),
  );
});

test("an event is encoded as its name, one line of data, its id and an empty line", () => {
  const text = encodeSse({ event: "metadata", data: '{"run_id":"1","attempt":1}', id: "0" });
  expect(text).toBe('event: metadata\ndata: {"run_id":"1","attempt":1}\nid: 0\n\n');
});

test("a heartbeat is a comment without a blank line", () => {
  expect(HEARTBEAT).toBe(": heartbeat\n");
});
