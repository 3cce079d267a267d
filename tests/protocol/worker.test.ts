import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeWorkerLine, encodeEndLines, encodeEventLine } from "../../lib/protocol/worker.ts";

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

test("a thread's values pass the channel unread and unchanged, ahead of the end", () => {
  const end = { run: "r", token: 1, status: "success" as const };
  fc.assert(
    fc.property(fc.json(), fc.jsonValue(), (values, value) => {
      const interrupts = { task: [{ id: "i", value }] };
      const lines = encodeEndLines(end, { values, next: ["node"], interrupts }).split("\n");
      expect(lines.pop()).toBe("");
      expect(lines.map(decodeWorkerLine)).toEqual([
        { type: "values", run: "r", token: 1, data: values },
        { type: "end", ...end, thread: { next: ["node"], interrupts: JSON.parse(JSON.stringify(interrupts)) } },
      ]);
    }),
  );
  expect(decodeWorkerLine(encodeEndLines(end))).toEqual({ type: "end", ...end });
});

test("an event line without data is refused", () => {
  expect(() => decodeWorkerLine('{"type":"event","run":"1","token":1,"event":"x"}')).toThrow(SyntaxError);
});
