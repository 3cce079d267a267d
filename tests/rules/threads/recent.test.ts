import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  addRecent,
  MOST_RECENT,
  parseRecent,
  type RecentThread,
  removeRecent,
  threadPath,
} from "../../../lib/rules/threads/recent.ts";

const thread: fc.Arbitrary<RecentThread> = fc.record(
  {
    id: fc.constantFrom(...Array.from({ length: 16 }, (_, at) => `thread-${at}`)),
    title: fc.string({ maxLength: 120 }),
    where: fc.constantFrom("chat", "studio", "thread"),
    graph: fc.string(),
  },
  { requiredKeys: ["id", "title", "where"] },
);
const opened = fc.array(thread, { maxLength: 30 });
const listOf = (all: readonly RecentThread[]): RecentThread[] => all.reduce(addRecent, []);

describe("recent threads", () => {
  test("are the last ones that were opened, the newest first, each once", () => {
    fc.assert(
      fc.property(opened, (all) => {
        const ids = [...new Set(all.toReversed().map((one) => one.id))].slice(0, MOST_RECENT);
        expect(listOf(all).map((one) => one.id)).toEqual(ids);
      }),
    );
  });

  test("have the title and the place of their last opening", () => {
    fc.assert(
      fc.property(opened, thread, (all, last) => {
        expect(listOf([...all, last])[0]).toEqual({ ...last, title: last.title.slice(0, 80) });
      }),
    );
  });

  test("are the same after they were stored", () => {
    fc.assert(
      fc.property(opened, (all) => {
        expect(parseRecent(JSON.stringify(listOf(all)))).toEqual(listOf(all));
      }),
    );
  });

  test("no longer hold one that was removed", () => {
    fc.assert(
      fc.property(opened, thread, (all, { id }) => {
        const rest = removeRecent(listOf(all), id);
        expect(rest).toEqual(listOf(all).filter((one) => one.id !== id));
      }),
    );
  });

  test("are read from whatever stands in the storage", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          opened.map((all) => JSON.stringify([...all, 1, null])),
        ),
        (text) => {
          const list = parseRecent(text);
          expect(list.length).toBeLessThanOrEqual(MOST_RECENT);
          expect(parseRecent(JSON.stringify(list))).toEqual(list);
        },
      ),
    );
    expect(parseRecent(null)).toEqual([]);
    expect(parseRecent('[{"id":"x","title":"T","where":"javascript:"},{"id":"","title":"T","where":"chat"}]')).toEqual(
      [],
    );
    expect(parseRecent(JSON.stringify([{ id: "x".repeat(101), title: "T", where: "chat" }]))).toEqual([]);
  });

  test("lead to the page where they were opened", () => {
    const one = { id: "a/b?c", title: "T" };
    expect(threadPath({ ...one, where: "chat" })).toBe("/chat?thread=a%2Fb%3Fc");
    expect(threadPath({ ...one, where: "studio", graph: "my graph" })).toBe("/studio/my%20graph?thread=a%2Fb%3Fc");
    expect(threadPath({ ...one, where: "studio" })).toBe("/threads/a%2Fb%3Fc");
    expect(threadPath({ ...one, where: "thread", graph: "g" })).toBe("/threads/a%2Fb%3Fc");
  });
});
