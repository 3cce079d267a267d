import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { createPageList, type PageListOptions } from "../../lib/client/page-list.ts";

const SIZE = 100;

/** A server with rows in descending order, whose cursor is the last row of the page before. */
function createServer(count: number) {
  let rows = Array.from({ length: count }, (_, index) => count - index);
  let reads = 0;
  let failure: string | undefined;
  return {
    set: (next: number[]) => (rows = next.toSorted((a, b) => b - a)),
    rows: () => rows,
    reads: () => reads,
    fail: (why: string | undefined) => (failure = why),
    read: (cursor: string) => {
      reads++;
      if (failure !== undefined) return Promise.reject(new Error(failure));
      const after = cursor === "" ? rows : rows.filter((row) => row < Number(cursor));
      const page = after.slice(0, SIZE);
      return Promise.resolve({ rows: page, next: after.length > SIZE ? String(page.at(-1)) : undefined });
    },
  };
}

function listOf(server: ReturnType<typeof createServer>, more: Partial<PageListOptions<number>> = {}) {
  return createPageList<number>({ read: server.read, keyOf: String, onChange: () => undefined, ...more });
}

/** Waits for all reads that are under way. */
const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 200; turn++) await Promise.resolve();
};

const shown = (list: ReturnType<typeof listOf>, first: number, last: number): (number | undefined)[] =>
  Array.from({ length: last - first + 1 }, (_, step) => list.row(first + step));

test("pages are read as rows become visible, one page ahead", async () => {
  const server = createServer(1000);
  const list = listOf(server);
  expect(list.state()).toMatchObject({ isLoaded: false, hasMore: true });
  list.show(0, 20);
  await settle();
  expect(list.state()).toMatchObject({ count: 100, hasMore: true, isLoaded: true });
  expect(server.reads()).toBe(1);
  list.show(30, 50);
  await settle();
  expect(list.state().count).toBe(200);
});

test("a list of 20,000 rows is scrolled to its end and back with few rows in memory", async () => {
  const server = createServer(20_000);
  const list = listOf(server);
  let most = 0;
  while (list.state().hasMore) {
    const { count } = list.state();
    list.show(Math.max(0, count - 20), count);
    await settle();
    most = Math.max(most, list.rows().length);
  }
  expect(list.state()).toMatchObject({ count: 20_000, hasMore: false });
  expect(most).toBeLessThanOrEqual(20 * SIZE);
  expect(list.row(19_999)).toBe(1);
  expect(list.row(0)).toBeUndefined();
  list.show(0, 20);
  await settle();
  expect(shown(list, 0, 2)).toEqual([20_000, 19_999, 19_998]);
  expect(list.indexOf("19998")).toBe(2);
});

test("after a refresh, the visible rows are those of the server, without holes or doubles", async () => {
  const changes = fc.array(fc.record({ add: fc.nat(150), remove: fc.nat(150), first: fc.nat(900) }), { maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(changes, async (list) => {
      const server = createServer(500);
      const pages = listOf(server);
      let newest = 500;
      for (const { add, remove, first } of list) {
        for (let at = 0; at < 12; at++) {
          pages.show(Math.min(first, pages.state().count), Math.min(first, pages.state().count) + 20);
          await settle();
        }
        const kept = server.rows().filter((row) => row % 7 !== remove % 7);
        server.set([...kept, ...Array.from({ length: add }, () => ++newest)]);
        await pages.refresh();
        await settle();
        pages.show(0, 350);
        await settle();
        expect(shown(pages, 0, 350)).toEqual(Array.from({ length: 351 }, (_, index) => server.rows()[index]));
      }
    }),
    { numRuns: 30 },
  );
});

test("a failure is told, keeps the rows, and ends with the next successful read", async () => {
  const server = createServer(300);
  const onChange = vi.fn<() => void>();
  const list = listOf(server, { onChange });
  list.show(0, 20);
  await settle();
  server.fail("no network");
  list.show(80, 99);
  await settle();
  expect(list.state()).toMatchObject({ failure: "no network", count: 100, hasMore: true });
  const reads = server.reads();
  list.show(81, 99);
  await settle();
  expect(server.reads()).toBe(reads);
  server.fail(undefined);
  await list.refresh();
  await settle();
  expect(list.state()).toMatchObject({ failure: undefined, count: 200 });
  expect(shown(list, 98, 101)).toEqual([202, 201, 200, 199]);
});

test("the first read may fail and be repeated", async () => {
  const server = createServer(3);
  server.fail("down");
  const list = listOf(server);
  list.show(0, 20);
  await settle();
  expect(list.state()).toMatchObject({ failure: "down", isLoaded: false });
  server.fail(undefined);
  await list.refresh();
  expect(list.state()).toEqual({ count: 3, hasMore: false, isLoaded: true, failure: undefined });
});

test("a closed list changes no more", async () => {
  const onChange = vi.fn<() => void>();
  const list = listOf(createServer(10), { onChange });
  list.show(0, 5);
  list.close();
  await settle();
  expect(onChange).not.toHaveBeenCalled();
});
