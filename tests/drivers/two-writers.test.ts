/** Several servers on one schema of PostgreSQL: each opens it as if it were alone. */
import { afterAll, describe, expect, test } from "vitest";
import type { NewRun } from "../../lib/engine/ports/ports.ts";
import { writersOnPostgres } from "../support/writers.ts";
import { begin, newRun, onThread, running } from "./runs.suite.ts";

const { isFound, openWriters, close, hold, settledOrBlocked } = await writersOnPostgres();

afterAll(close);

/** Returns a run on a thread that was created `ago` milliseconds ago. */
function runOf(thread_id: string, ago: number): NewRun {
  const created = new Date(Date.now() - ago).toISOString();
  return newRun({ thread_id, threaded: true, created_at: created });
}

describe.skipIf(!isFound)("two servers on one schema", () => {
  test("claim one run of a thread at a time, also when an older one is stored during a claim", async () => {
    const { a, b, c, schema } = await openWriters("a", "b", "c");
    const [older, newer] = [runOf("t", 10_000), runOf("t", 5_000)];
    await a.runs.enqueue(...onThread(newer));
    const claimedByA = a.runs.claim(1, Date.now(), begin);
    const release = await hold(a);
    const enqueued = c.runs.enqueue(...onThread(older));
    await settledOrBlocked(enqueued, schema);
    const claimedByB = await b.runs.claim(1, Date.now(), begin);
    release();
    await enqueued;
    expect((await claimedByA).map((run) => run.run_id)).toEqual([newer.run_id]);
    expect(claimedByB).toEqual([]);
    expect(await b.runs.claim(1, Date.now(), begin)).toEqual([]);
    await a.runs.finish(running(newer.run_id), { status: "success" }, [], Date.now());
    expect((await b.runs.claim(1, Date.now(), begin)).map((run) => run.run_id)).toEqual([older.run_id]);
  });
});
