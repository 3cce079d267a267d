import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeWorkerLine, encodeEventLine } from "../../lib/protocol/worker.ts";

test("an event's data passes the channel unread and unchanged", () => {
  fc.assert(
    fc.property(fc.string(), fc.nat(), fc.string(), fc.json(), (run, token, event, data) => {
      const line = encodeEventLine(run, token, event, data);
      expect(line.indexOf("\n")).toBe(line.length - 1);
      expect(decodeWorkerLine(line.slice(0, -1))).toEqual({ type: "event", run, token, event, data });
    }),
  );
});

test("an event line is JSON for a reader that does not know the short cut", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.jsonValue(), (run, event, data) => {
      const line = encodeEventLine(run, 1, event, JSON.stringify(data));
      expect(JSON.parse(line)).toEqual(JSON.parse(JSON.stringify({ type: "event", run, token: 1, event, data })));
    }),
  );
});

test("an event line without data is refused", () => {
  expect(() => decodeWorkerLine('{"type":"event","run":"1","token":1,"event":"x"}')).toThrow(SyntaxError);
});
