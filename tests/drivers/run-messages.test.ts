import fc from "fast-check";
import { expect, test } from "vitest";
import { eventsMessage, lookMessage, parseRunMessage } from "../../lib/drivers/log/run-messages.ts";

const json = fc.json().map((text) => JSON.stringify(JSON.parse(text)));
const events = fc.array(fc.record({ event: fc.string(), data: json }), { minLength: 1, maxLength: 8 });

test("a message has the events of a run, with their ids", () => {
  fc.assert(
    fc.property(fc.nat(), events, (first, sent) => {
      const ids = sent.map((event, index) => ({ id: first + index, ...event }));
      expect(parseRunMessage(eventsMessage(first, sent))).toEqual({ first, events: ids });
    }),
  );
});

test("a message of a large batch has the ids alone", () => {
  const data = JSON.stringify("x".repeat(40_000));
  const sent = [1, 2, 3].map(() => ({ event: "values", data }));
  expect(eventsMessage(7, sent)).toBe("7 3");
  expect(parseRunMessage("7 3")).toEqual({ first: 7, count: 3 });
});

test("anything else is a reason to look in the database", () => {
  for (const text of [lookMessage(), "", "x", "7 3 4", "-1", "7 x"])
    expect(parseRunMessage(text)).toEqual({ look: true });
});
