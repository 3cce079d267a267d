import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MOST_THREADS_CHECKED } from "../../lib/drivers/sql/thread-pages.ts";
import { labelRows } from "../../lib/drivers/sql/thread-labels.ts";
import { fromThreadRow, toThreadRow } from "../../lib/drivers/sql/thread-rows.ts";
import { sqlThreads } from "../../lib/drivers/sql/threads.ts";
import type { ThreadsTable } from "../../lib/drivers/sql/tables.ts";
import type { StoredThread, ThreadPage, ThreadStore } from "../../lib/engine/ports/threads.ts";
import type { JsonObject } from "../../lib/protocol/json.ts";
import { ThreadStatus } from "../../lib/protocol/threads.ts";
import type { ListPosition } from "../../lib/rules/cursor.ts";
import { labelsOf } from "../../lib/rules/threads/labels.ts";
import type { Visibility } from "../../lib/rules/visibility.ts";
import type { DatabaseUnderTest } from "./database.suite.ts";
import { compare, isFound } from "./thread-search.suite.ts";
import { newThread } from "./threads.suite.ts";

const THREADS = 2_500;
const sorts = ["created_at", "updated_at", "state_updated_at"] as const;
/** Few times, so that many threads share one. */
const timeOf = (n: number): string => new Date(Date.UTC(2026, 0, 1) + (n % 60) * 1_000).toISOString();

/** Tests pages of threads by cursor. */
export function threadPagesSuite(name: string, open: () => Promise<DatabaseUnderTest>): void {
  describe(`pages of threads in ${name}`, () => {
    let under: DatabaseUnderTest;
    let threads: ThreadStore;
    let all: StoredThread[] = [];
    beforeAll(async () => {
      under = await open();
      threads = sqlThreads(under.db, under.commit);
      const rows = sampleThreads();
      await insert(rows);
      all = rows.map(fromThreadRow);
    });
    afterAll(async () => {
      await under.close();
    });

    const insert = async (rows: ThreadsTable[]): Promise<void> => {
      for (let from = 0; from < rows.length; from += 500) {
        const part = rows.slice(from, from + 500);
        await under.db.insertInto("threads").values(part).execute();
        const labels = part.flatMap((row) => labelRows(row, labelsOf(JSON.parse(row.metadata) as JsonObject)));
        if (labels.length > 0) await under.db.insertInto("thread_labels").values(labels).execute();
      }
    };
    const pages = async (page: ThreadPage, visible?: Visibility, between = async () => {}): Promise<string[]> => {
      const ids: string[] = [];
      let after: ListPosition | undefined;
      for (;;) {
        const read: Awaited<ReturnType<ThreadStore["page"]>> = await threads.page({ ...page, after }, visible);
        expect(read.threads.length).toBeLessThanOrEqual(page.limit);
        ids.push(...read.threads.map((thread) => thread.thread_id));
        if (!read.next) return ids;
        expect(read.next).not.toEqual(after);
        after = read.next;
        await between();
      }
    };

    const filter = fc.record(
      {
        // The first is the label of all, then of most, of some and of few threads; the last two are no labels.
        metadata: fc.constantFrom<JsonObject[]>(
          { graph_id: "agent" },
          { team: "blue" },
          { owner: "ada" },
          { owner: "bob", team: "blue" },
          { none: 1 },
          { place: { row: 3 } },
          {},
        ),
        status: fc.constantFrom(...ThreadStatus.options),
        waiting: fc.boolean(),
        values: fc.constantFrom({ topic: "tea" }),
        ids: fc.array(fc.nat(THREADS - 1), { maxLength: 30 }),
      },
      { requiredKeys: [] },
    );
    const visibility = fc.constantFrom<(Visibility | undefined)[]>(
      undefined,
      undefined,
      [],
      [{ key: "team", equals: "red" }],
      [{ key: "tags", contains: ["a"] }],
    );
    const question = fc.record({
      filter,
      visible: visibility,
      sort_by: fc.constantFrom(...sorts),
      sort_order: fc.constantFrom("asc" as const, "desc" as const),
      limit: fc.integer({ min: 40, max: 1_000 }),
    });

    test("have each matching thread exactly once, in order, whatever the filter and the order", async () => {
      await fc.assert(
        fc.asyncProperty(question, async ({ filter: { ids, ...rest }, visible, ...order }) => {
          const wanted = { ...rest, ids: ids?.map((n) => all[n]?.thread_id ?? "") };
          const expected = all
            .filter((thread) => isFound(thread, wanted, visible))
            .toSorted((a, b) => compare(a[order.sort_by], b[order.sort_by]) || compare(a.thread_id, b.thread_id));
          if (order.sort_order === "desc") expected.reverse();
          expect(await pages({ ...wanted, ...order }, visible)).toEqual(expected.map((thread) => thread.thread_id));
          expect(await threads.count(wanted, visible)).toBe(expected.length);
        }),
        { numRuns: 150 },
      );
    }, 120_000);

    test.each(sorts)("by %s show every thread that is not touched once, while others change", async (sort_by) => {
      const others = Array.from({ length: 200 }, (_, n) => toThreadRow(newThread({ created_at: timeOf(n) })));
      await insert(others);
      let n = 0;
      const change = async (): Promise<void> => {
        for (const row of others.slice(n, n + 20)) await threads.update(row.thread_id, { metadata: { n } }, 1_000 * n);
        await threads.insert(newThread({ metadata: { late: true } }));
        n += 20;
      };
      const seen = await pages({ sort_by, sort_order: "desc", limit: 300 }, undefined, change);
      const untouched = new Set(all.map((thread) => thread.thread_id));
      expect(seen.filter((id) => untouched.has(id)).toSorted()).toEqual([...untouched].toSorted());
      for (const { thread_id } of others) await threads.delete(thread_id);
      for (const id of await pages({ sort_by, sort_order: "asc", limit: 100, metadata: { late: true } }))
        await threads.delete(id);
    });

    test("end after a bounded number of threads that do not match, and go on from there", async () => {
      const many = Array.from({ length: MOST_THREADS_CHECKED }, () =>
        toThreadRow(newThread({ metadata: {}, created_at: "2025-01-01T00:00:00.000Z" })),
      );
      await insert(many);
      const page = { metadata: { graph_id: "agent" }, limit: 10, sort_order: "asc" } as const;
      const first = await threads.page({ ...page, sort_by: "updated_at" });
      expect(first.threads).toEqual([]);
      expect(first.next?.time).toBe("2025-01-01T00:00:00.000Z");
      const second = await threads.page({ ...page, sort_by: "updated_at", after: first.next });
      expect(second.threads).toHaveLength(10);
      // The label has an index in this order.
      expect((await threads.page({ ...page, sort_by: "created_at" })).threads).toHaveLength(10);
      await under.db.deleteFrom("threads").where("created_at", "=", "2025-01-01T00:00:00.000Z").execute();
    }, 60_000);
  });
}

function sampleThreads(): ThreadsTable[] {
  return fc
    .sample(fc.tuple(fc.nat(), fc.nat(), fc.nat(), fc.nat(), fc.nat()), { numRuns: THREADS, seed: 3 })
    .map(([a, b, c, d, e], n): ThreadsTable => {
      const metadata = {
        graph_id: "agent",
        team: a % 4 ? "blue" : "red",
        ...(b % 50 === 0 && { owner: "ada" }),
        ...(b % 50 === 1 && { owner: "bob" }),
        tags: c % 2 ? ["a", "b"] : ["b"],
        place: { row: d % 10 },
      };
      return {
        ...toThreadRow(newThread({ metadata, created_at: timeOf(a + n) })),
        updated_at: timeOf(b),
        state_updated_at: timeOf(c),
        status: e % 10 < 7 ? "idle" : (ThreadStatus.options[e % 4] ?? "idle"),
        waiting: d % 3,
        values: e % 3 ? '{"topic":"tea"}' : null,
      };
    });
}
