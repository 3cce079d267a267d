import { describe, expect, test } from "vitest";
import type { NewRun } from "../../lib/engine/ports/ports.ts";
import {
  checkpointOf,
  type CheckpointStoreUnderTest,
  type Edit,
  openForSuite,
  host,
  json,
  newThread,
  playEdits,
  valueAt,
  write,
} from "./checkpoint-samples.ts";
import { begin, newRun, onThread, pending, running } from "./runs.suite.ts";

const by = (run: string) => ({ run, token: 0 });

export function checkpointThreadSuite(name: string, open: () => Promise<CheckpointStoreUnderTest>): void {
  describe(`threads of checkpoints in ${name}`, () => {
    const suite = openForSuite(open);

    /** A run is rolled back in the transaction that ends it. */
    async function takeBack(run_id: string, thread_id: string): Promise<void> {
      await suite.runs.insert(newRun({ run_id, thread_id, threaded: true }));
      await suite.runs.markCancelled(run_id, "rollback");
      await suite.runs.finish(pending(run_id), { status: "interrupted" }, [], Date.now());
    }

    describe("a claim of a run on a thread", () => {
      const headAtClaim = async (thread_id: string, change: Partial<NewRun> = {}): Promise<unknown> => {
        const { run_id } = newRun();
        const run = newRun({ run_id, thread_id, threaded: true, ...change });
        await (run.threaded ? suite.runs.enqueue(...onThread(run)) : suite.runs.insert(run));
        const [claimed] = await suite.runs.claim(1, Date.now() + 1_000, begin);
        expect(claimed?.run_id).toBe(run_id);
        await suite.runs.finish(running(run_id), { status: "success" }, [], Date.now());
        return claimed?.head;
      };

      test("names the newest checkpoint of the graph itself, or says that there is none", async () => {
        const [older, newer] = [checkpointOf(newThread(), {}), checkpointOf("", {})];
        const { thread } = older;
        expect(await headAtClaim(thread)).toBeNull();
        await suite.checkpoints.put(host, { ...newer, thread }, []);
        await suite.checkpoints.put(host, older, []);
        await suite.checkpoints.put(host, checkpointOf(thread, {}, { ns: "child" }), []);
        await suite.checkpoints.put(host, checkpointOf(newThread(), {}), []);
        expect(await headAtClaim(thread)).toBe(newer.id);
        expect(await headAtClaim(thread, { threaded: false })).toBeUndefined();
      });

      test("names none that has writes, which the worker must read", async () => {
        const before = checkpointOf(newThread(), {});
        const { thread } = before;
        await suite.checkpoints.put(host, before, []);
        await suite.checkpoints.putWrites(host, before, [write("t", 0, 1)]);
        expect(await headAtClaim(thread)).toBeUndefined();
        const newest = checkpointOf(thread, {});
        await suite.checkpoints.put(host, newest, []);
        await suite.checkpoints.putWrites(host, { thread, ns: "child", id: newest.id }, [write("t", 0, 1)]);
        expect(await headAtClaim(thread)).toBe(newest.id);
        await suite.checkpoints.putWrites(host, newest, [write("t", -1, 1)]);
        expect(await headAtClaim(thread)).toBeUndefined();
      });

      test("names none for a run that was attempted before, whose last checkpoint may come late", async () => {
        const newest = checkpointOf(newThread(), {});
        await suite.checkpoints.put(host, newest, []);
        const run = newRun({ thread_id: newest.thread, threaded: true });
        await suite.runs.enqueue(...onThread(run));
        const [first] = await suite.runs.claim(1, Date.now() + 1_000, begin);
        expect(first).toMatchObject({ token: 1, head: newest.id });
        await suite.runs.requeue(running(run.run_id), "crashed");
        const [second] = await suite.runs.claim(1, Date.now() + 1_000, begin);
        expect(second).toMatchObject({ token: 2 });
        expect(second?.head).toBeUndefined();
        await suite.runs.finish(running(run.run_id, 2), { status: "success" }, [], Date.now());
      });
    });

    test("an outline has the newest checkpoints of one scope, without their states", async () => {
      const one = checkpointOf(newThread(), {}, { metadata: JSON.stringify({ source: "input" }) });
      const { thread } = one;
      const two = checkpointOf(thread, {}, { parent: one.id });
      const three = checkpointOf(thread, {}, { parent: one.id });
      for (const each of [one, two, three]) await suite.checkpoints.put(host, each, []);
      await suite.checkpoints.put(host, checkpointOf(thread, {}, { ns: "child" }), []);
      await suite.checkpoints.put(host, checkpointOf(newThread(), {}), []);
      const outline = (page: { limit: number; before?: string }) => suite.checkpoints.outline({ thread, ns: "" }, page);
      const shape = ({ id, metadata, parent }: typeof one) => ({ id, metadata, ...(parent && { parent }) });
      expect(await outline({ limit: 9 })).toEqual([three, two, one].map(shape));
      expect(await outline({ limit: 1 })).toEqual([shape(three)]);
      expect(await outline({ limit: 9, before: two.id })).toEqual([shape(one)]);
    });

    test("deletion removes one thread and no other", async () => {
      const [a, b] = [checkpointOf(newThread(), {}), checkpointOf(newThread(), {})];
      for (const one of [a, b]) await suite.checkpoints.put(host, one, []);
      await suite.checkpoints.deleteThread(host, a.thread);
      expect(await suite.find(a.thread)).toBeUndefined();
      expect(await suite.find(b.thread)).toBeDefined();
    });

    test("a copy has the content of the thread, and changes independently", async () => {
      const [thread, copy] = [newThread(), newThread()];
      const states = await playEdits(suite.checkpoints, thread, [
        { from: 0, keep: 0, add: 3, size: 10 },
        { from: 0, keep: 1, add: 2, size: 10 },
      ]);
      const last = states.at(-1) ?? expect.unreachable();
      const metadata = JSON.stringify({ thread_id: thread, step: 1 });
      await suite.checkpoints.put(host, { ...last.one, metadata }, []);
      await suite.checkpoints.putWrites(host, last.one, [write("t", 0, 1)]);
      await suite.checkpoints.copyThread(thread, copy);
      const found = await suite.find(copy);
      expect(found?.checkpoint).toMatchObject({ thread: copy, id: last.one.id, writes: [{ task: "t" }] });
      expect(JSON.parse(found?.checkpoint.metadata ?? "")).toEqual({ thread_id: copy, step: 1 });
      expect(valueAt(found?.versions ?? [], "list", last.one.id)).toEqual(last.list);
      await suite.checkpoints.deleteThread(host, thread);
      expect(await suite.find(copy)).toEqual(found);
    });

    test("a copy up to a checkpoint has all that this one needs, and nothing that only later runs wrote", async () => {
      const [thread, copy] = [newThread(), newThread()];
      const [first, second] = [by("first"), by("second")];
      const [one, two] = [checkpointOf(thread, { list: 1 }), checkpointOf(thread, { list: 2 })];
      await suite.checkpoints.put(first, one, [{ channel: "list", version: "1", value: { keep: 0, items: ["1"] } }]);
      await suite.checkpoints.putWrites(first, one, [write("t", 0, 1)]);
      await suite.checkpoints.put(first, two, [
        { channel: "list", version: "2", value: { base: "1", keep: 1, items: ["2"] } },
      ]);
      await suite.checkpoints.putWrites(second, two, [write("t", 0, 1)]);
      const before = await suite.weigh();
      const three = checkpointOf(thread, { list: 3 }, { parent: two.id });
      const late = { base: "2", keep: 2, items: [JSON.stringify("x".repeat(500))] };
      await suite.checkpoints.put(second, three, [{ channel: "list", version: "3", value: late }]);
      const all = await suite.weigh();
      await suite.checkpoints.copyThread(thread, copy, two.id);
      expect((await suite.weigh()) - all).toBeLessThan(Math.min(before + 1, all - before));
      expect((await suite.checkpoints.list({ thread: copy })).checkpoints.map(({ id }) => id)).toEqual([
        two.id,
        one.id,
      ]);
      const found = await suite.find(copy);
      expect(found?.checkpoint).toMatchObject({ id: two.id, writes: [] });
      expect(valueAt(found?.versions ?? [], "list", "2")).toEqual([1, 2]);
      expect((await suite.find(copy, one.id))?.checkpoint.writes).toHaveLength(1);
    });

    test("a rolled back run leaves the thread as it was before", async () => {
      const thread = newThread();
      const list = (items: string[], base?: string) => ({ keep: base ? 1 : 0, items, ...(base && { base }) });
      const one = checkpointOf(thread, { list: 1 });
      await suite.checkpoints.put(by("first"), one, [{ channel: "list", version: "1", value: list(["1"]) }]);
      await suite.checkpoints.putWrites(by("first"), one, [write("t", -3, "asked"), write("t", 0, "said")]);
      const before = await suite.find(thread);
      const two = checkpointOf(thread, { list: 2 }, { parent: one.id });
      await suite.checkpoints.putWrites(by("second"), one, [
        write("t", -3, "other"),
        write("t", -4, "answer"),
        write("u", 0, 1),
      ]);
      await suite.checkpoints.putWrites(by("second"), one, [write("t", -3, "another")]);
      await suite.checkpoints.put(by("second"), two, [{ channel: "list", version: "2", value: list(["2"], "1") }]);
      await suite.checkpoints.putWrites(by("second"), two, [write("t", 0, 1)]);
      expect((await suite.find(thread, one.id))?.checkpoint.writes).toHaveLength(4);
      const weight = await suite.weigh();
      await takeBack("second", thread);
      expect(await suite.find(thread)).toEqual(before);
      expect(await suite.find(thread, two.id)).toBeUndefined();
      expect(await suite.weigh()).toBeLessThan(weight);
    });

    test("checkpoints that build on a rolled back run are read as before", async () => {
      const thread = newThread();
      const one = checkpointOf(thread, { list: 1 });
      await suite.checkpoints.put(by("first"), one, [
        { channel: "list", version: "1", value: { keep: 0, items: ["1"] } },
      ]);
      const two = checkpointOf(thread, { list: 2 }, { parent: one.id });
      const value = { base: "1", keep: 1, items: ["2"] };
      await suite.checkpoints.put(by("second"), two, [{ channel: "list", version: "2", value }]);
      await takeBack("first", thread);
      expect(valueAt((await suite.find(thread))?.versions ?? [], "list", "2")).toEqual([1, 2]);
    });

    test("a pruned thread has the newest checkpoint of each namespace, and can be continued", async () => {
      const thread = newThread();
      const twenty = Array.from({ length: 20 }, (): Edit => ({ from: 0, keep: 1, add: 3, size: 100 }));
      const states = await playEdits(suite.checkpoints, thread, twenty);
      const sub = checkpointOf(thread, { a: 1 }, { ns: "sub" });
      await suite.checkpoints.put(host, sub, [{ channel: "a", version: "1", value: json(1) }]);
      const weight = await suite.weigh();
      await suite.checkpoints.prune(thread);
      expect(await suite.weigh()).toBeLessThan(weight);
      const last = states.at(-1) ?? expect.unreachable();
      expect((await suite.checkpoints.list({ thread })).checkpoints.map(({ id }) => id)).toEqual([sub.id, last.one.id]);
      const found = await suite.find(thread);
      expect(found?.versions).toHaveLength(1);
      expect(valueAt(found?.versions ?? [], "list", last.one.id)).toEqual(last.list);
      expect((await suite.find(thread, undefined, "sub"))?.versions).toHaveLength(1);
      const next = checkpointOf(thread, { list: "next" }, { parent: last.one.id });
      const value = { base: last.one.id, keep: 1, items: ['"new"'] };
      expect(await suite.checkpoints.put(host, next, [{ channel: "list", version: "next", value }])).toBeNull();
      expect(valueAt((await suite.find(thread))?.versions ?? [], "list", "next")).toEqual([last.list[0], "new"]);
    });

    test("a thread whose graph stores differences keeps its history when it is pruned", async () => {
      const thread = newThread();
      const metadata = JSON.stringify({ counters_since_delta_snapshot: { log: [1, 2] } });
      for (let step = 0; step < 3; step++)
        await suite.checkpoints.put(host, checkpointOf(thread, {}, { metadata }), []);
      await suite.checkpoints.prune(thread);
      expect((await suite.checkpoints.list({ thread })).checkpoints).toHaveLength(3);
    });
  });
}
