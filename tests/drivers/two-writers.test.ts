/** Several servers on one schema of PostgreSQL: each opens it as if it were alone. */
import { afterAll, describe, expect, test } from "vitest";
import type { NewRun } from "../../lib/engine/ports/ports.ts";
import { writersOnPostgres } from "../support/writers.ts";
import { checkpointOf, host } from "./checkpoint-samples.ts";
import { begin, newRun, onThread, running } from "./runs.suite.ts";

const { isFound, openWriters, close, hold, settledOrBlocked } = await writersOnPostgres();

afterAll(close);

/** Returns a run on a thread that was created `ago` milliseconds ago. */
function runOf(thread_id: string, ago: number): NewRun {
  const created = new Date(Date.now() - ago).toISOString();
  return newRun({ thread_id, threaded: true, created_at: created });
}

const checkpoint = (id: string) => checkpointOf("by-hand", {}, { id });

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

  test("change a state by hand only while no run of the thread is under way, whoever has stored it", async () => {
    const { a, b, schema } = await openWriters("a", "b");
    const { thread } = checkpoint("id-1");
    await a.threads.insert({ thread_id: thread, metadata: {}, config: {}, created_at: new Date().toISOString() });
    await b.checkpoints.put(host, checkpoint("id-1"), []);
    const enqueued = a.runs.enqueue(...onThread(runOf(thread, 0)));
    const release = await hold(a);
    const put = b.checkpoints.put(host, checkpoint("id-2"), []);
    await settledOrBlocked(put, schema);
    release();
    await enqueued;
    await expect(put).rejects.toMatchObject({ code: "conflict", message: "Thread is busy" });
    expect((await a.checkpoints.outline({ thread, ns: "" }, { limit: 9 })).map(({ id }) => id)).toEqual(["id-1"]);
  });

  test("a state that was changed by hand does not replace that of a later run", async () => {
    const { a, b } = await openWriters("a", "b");
    const { thread } = checkpoint("id-1");
    await a.checkpoints.put(host, checkpoint("id-1"), []);
    await b.runs.enqueue(...onThread(runOf(thread, 0)));
    const [run] = await b.runs.claim(1, Date.now() + 1_000, begin);
    if (!run) throw new Error("nothing to claim");
    await b.checkpoints.put({ run: run.run_id, token: run.token }, checkpoint("id-2"), []);
    await b.runs.finish(run, { status: "success", thread: { values: '"run"', interrupts: {}, next: [] } }, [], 1);
    const byHand = { values: '"hand"', interrupts: {}, waiting: true };
    const late = await a.threads.update(thread, { state: { ...byHand, checkpoint: "id-1" } }, Date.now());
    expect(late).toMatchObject({ values: "run", status: "idle" });
    const newest = await a.threads.update(thread, { state: { ...byHand, checkpoint: "id-2" } }, Date.now());
    expect(newest).toMatchObject({ values: "hand", status: "interrupted" });
  });

  test("a run that another server has taken over writes nothing to the store", async () => {
    const { a, b } = await openWriters("a", "b");
    await a.runs.enqueue(...onThread(runOf("t", 0)));
    const [run] = await a.runs.claim(1, Date.now() + 1_000, begin);
    if (!run) throw new Error("nothing to claim");
    const origin = { run: run.run_id, token: run.token };
    const item = { id: "i", namespace: ["n"], key: "k", value: { n: 1 }, ttl: null, expires: null, vectors: new Map() };
    expect(await a.items.write([item], [], 0, { origin })).toBe("written");
    await b.runs.requeue(run, "crashed");
    const late = { ...item, value: { n: 2 } };
    await expect(a.items.write([late], [], 0, { origin })).rejects.toMatchObject({ code: "conflict" });
    await expect(a.items.write([], [item], 0, { origin })).rejects.toMatchObject({ code: "conflict" });
    expect(await b.items.get(item, 0)).toMatchObject({ value: { n: 1 } });
  });
});
