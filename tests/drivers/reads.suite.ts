import fc from "fast-check";
import type { Kysely, KyselyPlugin } from "kysely";
import { describe, expect, test } from "vitest";
import { localLog } from "../../lib/drivers/log/local.ts";
import { sqlCheckpoints } from "../../lib/drivers/sql/checkpoints.ts";
import { sqlRuns } from "../../lib/drivers/sql/runs.ts";
import type { Tables } from "../../lib/drivers/sql/tables.ts";
import { follow } from "../../lib/engine/follow.ts";
import { END, type NewEvent } from "../../lib/protocol/stream.ts";
import { checkpointOf, host, json, newThread } from "./checkpoint-samples.ts";
import type { DatabaseUnderTest } from "./database.suite.ts";
import { begin, newRun, running } from "./runs.suite.ts";

const BATCHES = 100;
const SIZE = 4;
const PAD = "x".repeat(1_000);

/** Tests that rows and characters read from a database do not grow with data that was not requested. */
export function readsSuite(name: string, open: () => Promise<DatabaseUnderTest>): void {
  describe(`reads from ${name}`, () => {
    test("a stream resumed after event n reads only the batches after it", async () => {
      const { db, commit, close } = await open();
      const plain = newRun();
      const run = { ...plain, kwargs: { ...plain.kwargs, resumable: true } };
      const writes = sqlRuns(db, commit);
      await writes.insert(run);
      await writes.claim(1, Date.now() + 1_000, begin);
      const batch = (n: number): NewEvent[] =>
        Array.from({ length: SIZE }, (_, one) => ({ event: "custom", data: `"${n} ${one} ${PAD}"` }));
      for (let n = 0; n < BATCHES; n++) await writes.append(run.run_id, 1, batch(n));
      await writes.finish(running(run.run_id), { status: "success" }, [{ event: END, data: "{}" }], 1);
      const last = BATCHES * SIZE + 1;

      const counted = counting(db);
      // The log starts without the run in memory, as after a restart.
      const log = localLog(sqlRuns(counted.db, commit), Date.now);
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: -1, max: last - 1 }), async (after) => {
          counted.reset();
          const ids: number[] = [];
          for await (const events of follow({ log }, run.run_id, after)) ids.push(...events.map(({ id }) => id));
          expect(ids).toEqual(Array.from({ length: last - after }, (_, n) => after + 1 + n));
          // The first and the last event are stored in batches of their own.
          const batches = ids.length === 1 ? 1 : Math.ceil((ids.length - 1) / SIZE) + 1;
          expect(counted.rows()).toBeLessThanOrEqual(batches + (after === -1 ? 1 : 0));
          expect(counted.characters()).toBeLessThan((ids.length + SIZE) * (PAD.length + 100));
        }),
      );
      await close();
    });

    test("a page of a thread's history reads as many rows of a long thread as of a short one", async () => {
      const { db, commit, close } = await open();
      const checkpoints = sqlCheckpoints(db, commit);
      const grow = async (count: number): Promise<string> => {
        const thread = newThread();
        let parent: string | undefined;
        for (let n = 1; n <= count; n++) {
          const one = checkpointOf(thread, { count: n }, { parent });
          await checkpoints.put(host, one, [{ channel: "count", version: String(n), value: json(n) }]);
          parent = one.id;
        }
        return thread;
      };
      const counted = counting(db);
      const reads = sqlCheckpoints(counted.db, commit);
      const costOf = async (thread: string) => {
        counted.reset();
        expect((await reads.list({ thread, ns: "", limit: 10 })).checkpoints).toHaveLength(10);
        return counted.rows();
      };
      const [short, long] = [await grow(10), await grow(1_000)];
      expect(await costOf(long)).toBe(await costOf(short));
      await close();
    }, 60_000);
  });
}

/** Returns the same database, which counts the rows and characters that it returns. */
function counting(db: Kysely<Tables>) {
  let rows = 0;
  let characters = 0;
  const counter: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult({ result }) {
      rows += result.rows.length;
      characters += JSON.stringify(result.rows).length;
      return Promise.resolve(result);
    },
  };
  return {
    db: db.withPlugin(counter),
    rows: () => rows,
    characters: () => characters,
    reset: () => void ([rows, characters] = [0, 0]),
  };
}
