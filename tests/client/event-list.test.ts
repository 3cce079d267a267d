import fc from "fast-check";
import { expect, test } from "vitest";
import { createEventList, type EventList } from "../../lib/client/event-list.ts";

function collect(events: readonly unknown[]): EventList {
  let list: EventList = { events: [], dropped: 0 };
  const reports: (() => void)[] = [];
  const collected = createEventList(
    (newest) => (list = newest),
    (report) => reports.push(report),
  );
  for (const [id, data] of events.entries()) collected.add({ id, event: "values", data });
  expect(reports.length).toBeLessThanOrEqual(1);
  for (const report of reports) report();
  return list;
}

test("the newest events are kept in order, the others are counted", () => {
  fc.assert(
    fc.property(fc.nat(12_000), (count) => {
      const { events, dropped } = collect(Array.from({ length: count }, () => 0));
      expect(events.length + dropped).toBe(count);
      expect(events.length).toBeLessThanOrEqual(5_000);
      expect(events.map(({ id }) => id)).toEqual(events.map((_, place) => dropped + place));
    }),
    { numRuns: 20 },
  );
});

test("large events are bounded by their size, and the newest one stays", () => {
  const { events, dropped } = collect(Array.from({ length: 50 }, () => ({ deep: ["x".repeat(1_000_000)] })));
  expect(events.length).toBeLessThanOrEqual(20);
  expect(events.length).toBeGreaterThan(10);
  expect(dropped).toBe(50 - events.length);
  expect(collect(["x".repeat(30_000_000)]).events).toHaveLength(1);
});
