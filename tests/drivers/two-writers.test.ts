/** Several servers on one schema of PostgreSQL: each opens it as if it were alone. */
import fc from "fast-check";
import { afterAll, describe, expect, test, vi } from "vitest";
import type { LineLog } from "../../lib/engine/ports/line-log.ts";
import type { NewRun, StoredRun } from "../../lib/engine/ports/ports.ts";
import { type Writer, writersOnPostgres } from "../support/writers.ts";
import { checkpointOf, host, json } from "./checkpoint-samples.ts";
import { begin, newRun, onThread, running } from "./runs.suite.ts";

const { isFound, openWriters, openLogs, close, hold, settledOrBlocked } = await writersOnPostgres();

/** The number of random stories, three of which are told at once. `npm run test:scale` tells 10,000. */
const STORIES = Number(process.env.SCALE_STORIES ?? 36);
const timeout = (STORIES / 36) * 120_000;

afterAll(close);

/** Returns a run on a thread that was created `ago` milliseconds ago. */
function runOf(thread_id: string, ago: number): NewRun {
  const created = new Date(Date.now() - ago).toISOString();
  return newRun({ thread_id, threaded: true, created_at: created });
}

const newThread = (thread_id: string) => ({
  thread_id,
  metadata: {},
  config: {},
  created_at: new Date().toISOString(),
});
const newItem = { id: "i", namespace: ["n"], key: "k", value: {}, ttl: null, expires: null, vectors: new Map() };
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

  test("leave a thread busy whose run ends while another server stores the next one", async () => {
    const { a, b, schema } = await openWriters("a", "b");
    await a.runs.enqueue(...onThread(runOf("t", 1_000)));
    const [first] = await a.runs.claim(1, Date.now(), begin);
    if (!first) throw new Error("nothing to claim");
    const next = runOf("t", 0);
    const enqueued = b.runs.enqueue(...onThread(next));
    const release = await hold(b);
    const ended = a.runs.finish(first, { status: "success" }, [], Date.now());
    await settledOrBlocked(ended, schema);
    release();
    await enqueued;
    expect(await ended).toMatchObject({ othersInFlight: 1 });
    expect(await a.threads.get("t")).toMatchObject({ status: "busy" });
  });

  test("change a state by hand only while no run of the thread is under way, whoever has stored it", async () => {
    const { a, b, schema } = await openWriters("a", "b");
    const { thread } = checkpoint("id-1");
    await a.threads.insert(newThread(thread));
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

  test("keep what a run stores while another one prunes its thread", async () => {
    const { a, b, c, schema } = await openWriters("a", "b", "c");
    const step = (id: string) => checkpointOf("by-hand", { n: id }, { id });
    const { thread } = step("id-1");
    await a.runs.enqueue(...onThread(runOf(thread, 0)));
    const [run] = await a.runs.claim(1, Date.now() + 1_000, begin);
    if (!run) throw new Error("nothing to claim");
    const put = (id: string) =>
      a.checkpoints.put({ run: run.run_id, token: run.token }, step(id), [
        { channel: "n", version: id, value: json(id) },
      ]);
    for (const id of ["id-1", "id-2"]) await put(id);
    const locked = c.commit((tx) =>
      tx.selectFrom("checkpoints").select("ns").orderBy("checkpoint_id").limit(1).forUpdate().execute(),
    );
    const release = await hold(c);
    const pruned = b.checkpoints.prune(thread);
    await settledOrBlocked(pruned, schema);
    const stored = put("id-3");
    await settledOrBlocked(stored, schema, 2);
    release();
    await Promise.all([locked, pruned, stored]);
    const ids = (await b.checkpoints.outline({ thread, ns: "" }, { limit: 9 })).map(({ id }) => id);
    expect(ids).toEqual(["id-3", "id-2"]);
    expect(await b.checkpoints.get({ thread, ns: "" })).toMatchObject({
      checkpoint: { id: "id-3" },
      versions: [{ channel: "n", version: "id-3", value: json("id-3") }],
    });
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
    const item = { ...newItem, value: { n: 1 } };
    expect(await a.items.write([item], [], 0, { origin })).toBe("written");
    await b.runs.requeue(run, "crashed");
    const late = { ...item, value: { n: 2 } };
    await expect(a.items.write([late], [], 0, { origin })).rejects.toMatchObject({ code: "conflict" });
    await expect(a.items.write([], [item], 0, { origin })).rejects.toMatchObject({ code: "conflict" });
    expect(await b.items.get(item, 0)).toMatchObject({ value: { n: 1 } });
  });

  test("let nobody overwrite an item that another one stores meanwhile, and that its user may not see", async () => {
    const { a, b, schema } = await openWriters("a", "b");
    const item = (owner: string) => ({ ...newItem, value: { owner } });
    const as = (owner: string) => ({ visible: [{ key: "owner", equals: owner }] });
    const first = a.items.write([item("ada")], [], 0, as("ada"));
    const release = await hold(a);
    const second = b.items.write([item("bob")], [], 0, as("bob"));
    await settledOrBlocked(second, schema);
    release();
    expect([await first, await second]).toEqual(["written", "hidden"]);
    expect(await b.items.get(newItem, 0)).toMatchObject({ value: { owner: "ada" } });
  });

  test("lock the threads of a group of writes in one order, whatever the order of the writes", async () => {
    const { a, b, schema } = await openWriters("a", "b");
    for (const thread of ["t1", "t2"]) await a.runs.enqueue(...onThread(runOf(thread, 0)));
    const entered = { a: 0, b: 0 };
    /** Writes to both threads, in this order, in one group. Between the two it waits for `gate`. */
    const writeBoth = async (server: "a" | "b", [first, second]: [string, string], gate: Promise<unknown>) => {
      const { runs, commit } = { a, b }[server];
      const between = async (): Promise<void> => {
        entered[server]++;
        await gate;
      };
      const writes = [
        runs.enqueue(...onThread(runOf(first, 0))),
        commit(between),
        runs.enqueue(...onThread(runOf(second, 0))),
      ];
      await Promise.all(writes);
    };
    const gate = Promise.withResolvers<void>();
    const byA = writeBoth("a", ["t1", "t2"], gate.promise);
    await vi.waitUntil(() => entered.a > 0);
    const byB = writeBoth("b", ["t2", "t1"], gate.promise);
    await Promise.race([vi.waitUntil(() => entered.b > 0), settledOrBlocked(byB, schema)]);
    gate.resolve();
    await Promise.all([byA, byB]);
    // A group that had lost a deadlock would have been written twice.
    expect(entered).toEqual({ a: 1, b: 1 });
    expect((await a.runs.list(["pending"])).length).toBe(6);
  });

  test("write what a deadlock has rolled back again", async () => {
    const { a, b } = await openWriters("a", "b");
    for (const id of ["t1", "t2"]) await a.threads.insert(newThread(id));
    let attempts = 0;
    let holders = 0;
    const bothHoldOne = Promise.withResolvers<void>();
    const lockBoth = ({ commit }: Writer, ids: readonly [string, string]) =>
      commit(async (tx) => {
        attempts++;
        const lock = (id: string) =>
          tx
            .updateTable("threads")
            .set((eb) => ({ position: eb("position", "+", 1) }))
            .where("thread_id", "=", id)
            .execute();
        await lock(ids[0]);
        if (++holders === 2) bothHoldOne.resolve();
        await bothHoldOne.promise;
        await lock(ids[1]);
      });
    await Promise.all([lockBoth(a, ["t1", "t2"]), lockBoth(b, ["t2", "t1"])]);
    expect(attempts).toBeGreaterThan(2);
    expect((await a.threads.get("t1"))?.position).toBe(2);
    expect((await a.threads.get("t2"))?.position).toBe(2);
  });

  test("number the lines of one log without a gap, although each writes when it likes", async () => {
    const failures: unknown[] = [];
    const logs = await openLogs(3, failures);
    const write = async (lines: LineLog, server: number): Promise<void> => {
      for (let n = 0; n < 30; n++) {
        lines.append("x", [{ stream: "out", text: `${server} ${n}` }]);
        if (n % (server + 2) === 0) await lines.flush();
      }
      await lines.flush();
    };
    await Promise.all(logs.map(write));
    const all = (await logs[0]?.read("x", -1, 1_000)) ?? [];
    expect(failures).toEqual([]);
    expect(all.map(({ id }) => id)).toEqual(Array.from({ length: 90 }, (_, n) => n));
    for (const server of ["0", "1", "2"]) {
      const own = all.filter(({ text }) => text.startsWith(server)).map(({ text }) => Number(text.slice(2)));
      expect(own).toEqual(Array.from({ length: 30 }, (_, n) => n));
    }
  });

  test("see the assistants that another one has changed or deleted, although each keeps them", async () => {
    const { a, b } = await openWriters("a", "b");
    const assistant_id = "a0000000-0000-4000-8000-000000000001";
    const fields = { name: "n", description: null, config: {}, context: {}, metadata: {} };
    await a.assistants.ensure({ assistant_id, graph_id: "g", ...fields, version: 1, created_at: "", updated_at: "" });
    const nameAtB = async () => (await b.assistants.get(assistant_id))?.name;
    expect(await nameAtB()).toBe("n");
    await a.assistants.update(assistant_id, (was) => ({ ...was, name: "renamed" }));
    await vi.waitUntil(async () => (await nameAtB()) === "renamed", { timeout: 10_000 });
    await a.assistants.delete(assistant_id);
    await vi.waitUntil(async () => (await nameAtB()) === undefined, { timeout: 10_000 });
    expect(await a.assistants.get(assistant_id)).toBeUndefined();
  });

  test("execute each run of random stories, one run of a thread at a time", { timeout }, async () => {
    const { a, b, c } = await openWriters("a", "b", "c");
    const step = fc.record({
      do: fc.constantFrom("enqueue", "enqueue", "claim", "claim", "end", "end", "lose", "cancel"),
      thread: fc.constantFrom("t1", "t2", "t3"),
      /** Servers' clocks differ, and a run may be stored late. */
      ago: fc.integer({ min: -20, max: 20 }),
    });
    const stories = fc.array(step, { minLength: 20, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(fc.tuple(stories, stories, stories), async (all) => {
        const claimed: StoredRun[] = [];
        const stored: string[] = [];
        const claim = async (server: Writer): Promise<void> => {
          claimed.push(...(await server.runs.claim(2, Date.now() + 1_000, begin)));
        };
        const end = async (server: Writer): Promise<void> => {
          const run = claimed.shift();
          if (run) await server.runs.finish(run, { status: "success" }, [{ event: "end", data: "{}" }], Date.now());
        };
        const steps = {
          enqueue: async (server: Writer, thread: string, ago: number) => {
            const run = runOf(thread, ago);
            stored.push(run.run_id);
            await server.runs.enqueue(...onThread(run));
          },
          claim,
          end,
          lose: async (server: Writer) => {
            const run = claimed.shift();
            if (run) await server.runs.requeue(run, "stopped");
          },
          cancel: async (server: Writer, thread: string) => {
            const [, run] = await server.runs.inFlight(thread);
            if (run?.status === "pending") await server.runs.finish(run, { status: "interrupted" }, [], Date.now());
          },
        };
        const play = async (server: Writer, story: readonly (typeof all)[0][number][]) => {
          for (const { do: what, thread, ago } of story) await steps[what](server, thread, ago);
        };
        // The database refuses a second running run of a thread, which would reject here.
        await Promise.all([a, b, c].map((server, n) => play(server, all[n] ?? [])));
        while ((await a.runs.list(["pending", "running"])).length > 0) {
          await Promise.all([a, b, c].map(claim));
          while (claimed.length > 0) await Promise.all([a, b, c].map(end));
        }
        const ended = await Promise.all(stored.map((id) => c.runs.get(id)));
        expect(ended.filter((run) => run?.status !== "success" && run?.status !== "interrupted")).toEqual([]);
        for (const thread of ["t1", "t2", "t3"]) expect((await b.threads.get(thread))?.status ?? "idle").toBe("idle");
      }),
      { numRuns: Math.ceil(STORIES / 3) },
    );
  });
});
