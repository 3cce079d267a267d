import { expect, test } from "vitest";
import { ItemList } from "../../lib/client/item-list.ts";
import { RequestFailure } from "../../lib/client/refusal.ts";
import type { Item } from "../../lib/protocol/store.ts";

const item = (at: number): Item => ({
  namespace: ["a"],
  key: String(at),
  value: {},
  created_at: "2026-01-01T00:00:00.000Z",
  updated_at: "2026-01-01T00:00:00.000Z",
});

/** A store with numbered items, whose answers hold at most `most` of them. */
function listOf(count: { total: number }, most = 1000) {
  const limits: number[] = [];
  const api = {
    search: (_: unknown, limit: number, offset: number): Promise<Item[]> => {
      limits.push(limit);
      if (limit > most) return Promise.reject(new RequestFailure(413, "too large"));
      const length = Math.max(0, Math.min(limit, count.total - offset));
      return Promise.resolve(Array.from({ length }, (__, at) => item(offset + at)));
    },
  };
  return { list: new ItemList(api, { namespace: [], filter: {} }), limits };
}

const keys = (list: ItemList): number[] => list.state().items.map(({ key }) => Number(key));
const upTo = (count: number): number[] => Array.from({ length: count }, (_, at) => at);

test("pages follow each other until there are no more", async () => {
  const { list, limits } = listOf({ total: 250 });
  await list.more();
  expect(keys(list)).toEqual(upTo(100));
  expect(list.state()).toMatchObject({ isComplete: false, isLoading: false });
  await list.more();
  await list.more();
  await list.more();
  expect(keys(list)).toEqual(upTo(250));
  expect(list.state().isComplete).toBe(true);
  expect(limits).toHaveLength(3);
});

test("items that are too large for one answer come in smaller pages", async () => {
  const { list } = listOf({ total: 50 }, 3);
  await list.upTo(1000);
  expect(keys(list)).toEqual(upTo(50));
  expect(list.state()).toMatchObject({ isComplete: true, failure: undefined });
  const { list: none } = listOf({ total: 5 }, 0);
  await none.more();
  expect(none.state()).toMatchObject({ isLoading: false, failure: "too large" });
});

test("a refresh reads as many as there were, and sees what was added and removed", async () => {
  const count = { total: 150 };
  const { list } = listOf(count);
  await list.upTo(10_000);
  count.total = 149;
  await list.refresh();
  expect(keys(list)).toEqual(upTo(149));
  count.total = 0;
  await list.refresh();
  expect(list.state()).toMatchObject({ items: [], isComplete: true });
});

test("a reading that is under way is dropped by a refresh", async () => {
  const { list } = listOf({ total: 30 });
  const first = list.more();
  await list.refresh();
  await first;
  expect(keys(list)).toEqual(upTo(30));
});

test("an older answer that comes later changes nothing", async () => {
  const answers: ((items: Item[]) => void)[] = [];
  const search = (): Promise<Item[]> => new Promise((resolve) => answers.push(resolve));
  const list = new ItemList({ search }, { namespace: [], filter: {} });
  const older = list.more();
  const newer = list.refresh();
  answers[1]?.([item(2)]);
  await newer;
  answers[0]?.([item(1)]);
  await older;
  expect(keys(list)).toEqual([2]);
});
