import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CheckpointStore } from "../../lib/engine/ports/threads.ts";
import type { CheckpointPage, StoredCheckpoint } from "../../lib/protocol/checkpoints.ts";
import {
  checkpointOf,
  type CheckpointStoreUnderTest,
  claimedRun,
  type Edit,
  edits,
  openForSuite,
  host,
  json,
  newThread,
  playEdits,
  valueAt,
  write,
} from "./checkpoint-samples.ts";
import { running } from "./runs.suite.ts";

export function checkpointStoreSuite(name: string, open: () => Promise<CheckpointStoreUnderTest>): void {
  describe(`checkpoints in ${name}`, () => {
    const suite = openForSuite(open);

    test("a checkpoint is read as it was put, with its writes and values", async () => {
      const thread = newThread();
      const first = checkpointOf(thread, { a: 1, gone: 1 });
      expect(await suite.checkpoints.put(host, first, [{ channel: "a", version: "1", value: json("x") }])).toBeNull();
      const second = checkpointOf(thread, { a: 1, b: 1.5 }, { parent: first.id });
      const bytes = { type: "bytes", data: "AAEC" };
      await suite.checkpoints.put(host, second, [{ channel: "b", version: "1.5", value: bytes }]);
      await suite.checkpoints.putWrites(host, second, [write("t", 0, { x: 1 })]);
      expect(await suite.find(thread, first.id)).toEqual({
        checkpoint: { ...first, writes: [] },
        versions: [{ channel: "a", version: "1", value: json("x") }],
      });
      const newest = await suite.find(thread);
      expect(newest?.checkpoint).toEqual({ ...second, writes: [write("t", 0, { x: 1 })] });
      expect(newest?.versions).toHaveLength(2);
      expect(newest?.versions).toContainEqual({ channel: "b", version: "1.5", value: bytes });
      expect(await suite.find(thread, "other")).toBeUndefined();
      expect(await suite.find(newThread())).toBeUndefined();
      expect(await suite.find(thread, undefined, "sub")).toBeUndefined();
    });

    test("a checkpoint that is put again takes the new metadata and keeps its writes", async () => {
      const thread = newThread();
      const one = checkpointOf(thread, {});
      await suite.checkpoints.put(host, one, []);
      await suite.checkpoints.putWrites(host, one, [write("t", 0, 1)]);
      await suite.checkpoints.put(host, { ...one, metadata: '{"step":2}' }, []);
      expect((await suite.find(thread))?.checkpoint).toMatchObject({ metadata: '{"step":2}', writes: [{ task: "t" }] });
    });

    test("only the writes of a checkpoint that the worker still holds are read again", async () => {
      const thread = newThread();
      const [one, two] = [checkpointOf(thread, {}), checkpointOf(thread, {})];
      await suite.checkpoints.put(host, one, []);
      await suite.checkpoints.putWrites(host, one, [write("t", 0, 1)]);
      const same = { same: true, writes: [write("t", 0, 1)] };
      expect(await suite.checkpoints.get(one, { known: one.id })).toEqual(same);
      await suite.checkpoints.put(host, two, []);
      expect(await suite.checkpoints.get(one, { known: one.id })).toMatchObject({ checkpoint: { id: two.id } });
      expect(await suite.checkpoints.get(one, { id: one.id, known: one.id })).toEqual(same);
    });

    test("the first ordinary write of an index counts, and the last special one", async () => {
      const one = checkpointOf(newThread(), {});
      await suite.checkpoints.put(host, one, []);
      await suite.checkpoints.putWrites(host, one, [
        write("b", 0, "first"),
        write("a", -4, "first"),
        write("a", 1, "x"),
      ]);
      await suite.checkpoints.putWrites(host, one, [write("b", 0, "second"), write("a", -4, "second")]);
      expect((await suite.find(one.thread))?.checkpoint.writes).toEqual([
        write("a", -4, "second"),
        write("a", 1, "x"),
        write("b", 0, "first"),
      ]);
    });

    test("a list with a missing base is refused, and nothing of it is stored", async () => {
      const one = checkpointOf(newThread(), { a: 2, b: 1 });
      const versions = [
        { channel: "b", version: "1", value: json(1) },
        { channel: "a", version: "2", value: { base: "1", keep: 1, items: ["2"] } },
      ];
      expect(await suite.checkpoints.put(host, one, versions)).toEqual({ whole: true });
      expect(await suite.find(one.thread)).toBeUndefined();
      const self = [{ channel: "a", version: "2", value: { base: "2", keep: 1, items: ["2"] } }];
      expect(await suite.checkpoints.put(host, one, self)).toEqual({ whole: true });
      const whole = [{ channel: "a", version: "2", value: { keep: 0, items: ["1", "2"] } }];
      expect(await suite.checkpoints.put(host, one, whole)).toBeNull();
      expect((await suite.find(one.thread))?.versions).toEqual(whole);
    });

    test("only the run with the current token can write, until its end or until its claim is lost", async () => {
      const { run_id, token } = await claimedRun(suite.runs);
      const one = checkpointOf(newThread(), {});
      const origin = { run: run_id, token };
      const writing = (as: typeof origin) => [
        suite.checkpoints.put(as, one, []),
        suite.checkpoints.putWrites(as, one, [write("t", 0, 1)]),
        suite.checkpoints.deleteThread(as, one.thread),
      ];
      const refused = async (as: typeof origin) => {
        for (const result of await Promise.allSettled(writing(as)))
          expect(result).toMatchObject({ status: "rejected", reason: { code: "conflict" } });
      };
      await refused({ ...origin, token: token + 1 });
      await refused({ ...origin, run: "another" });
      await Promise.all(writing(origin));
      await suite.runs.finish(running(run_id, token), { status: "success" }, [], Date.now());
      await refused(origin);
      expect(await suite.find(one.thread)).toBeUndefined();
      const lost = await claimedRun(suite.runs);
      await suite.runs.requeue(running(lost.run_id), "crashed");
      await refused({ run: lost.run_id, token: lost.token });
    });

    test("every list is read as it was put, whatever it is based on", async () => {
      await fc.assert(
        fc.asyncProperty(edits, async (sequence) => {
          const states = await playEdits(suite.checkpoints, newThread(), sequence);
          for (const { one, list } of states) {
            const found = await suite.find(one.thread, one.id);
            expect(valueAt(found?.versions ?? [], "list", one.id)).toEqual(list);
          }
          const thread = states[0]?.one.thread ?? "";
          const { checkpoints: page, channels } = await suite.checkpoints.list({ thread, ns: "", limit: 1_000 });
          for (const { id } of page)
            expect(valueAt(channels[0]?.versions ?? [], "list", id)).toEqual(
              states.find(({ one }) => one.id === id)?.list,
            );
        }),
        { numRuns: 40 },
      );
    });

    test("storing and reading a growing list costs in proportion to its length", async () => {
      const thread = newThread();
      const begun = await suite.weigh();
      const edit: Edit = { from: 0, keep: 0, add: 2, size: 100 };
      const states = await playEdits(
        suite.checkpoints,
        thread,
        Array.from({ length: 500 }, () => edit),
      );
      const whole = JSON.stringify(states.at(-1)?.list).length;
      expect(((await suite.weigh()) - begun) / whole).toBeLessThan(4);
      const read = JSON.stringify((await suite.find(thread))?.versions).length;
      expect(read / whole).toBeLessThan(4);
    });

    test("pages of a thread with large checkpoints are short, and contain each checkpoint once", async () => {
      const thread = newThread();
      const large = JSON.stringify("x".repeat(3 * 1024 * 1024));
      const put: string[] = [];
      for (let step = 0; step < 12; step++) {
        const one = checkpointOf(thread, step % 3 === 0 ? { a: step } : {});
        const text = `{"step":${step}${step % 3 === 1 ? `,"x":${large}` : ""}}`;
        await suite.checkpoints.put(
          host,
          { ...one, metadata: text },
          step % 3 === 0 ? [{ channel: "a", version: String(step), value: { type: "json", data: large } }] : [],
        );
        if (step % 3 === 2) await suite.checkpoints.putWrites(host, one, [write("t", 0, "x".repeat(3 * 1024 * 1024))]);
        put.unshift(one.id);
      }
      for (const filter of [undefined, {}]) {
        const found: string[] = [];
        let pages = 0;
        for (let after: CheckpointPage["next"]; ; pages++) {
          const page = await suite.checkpoints.list({ thread, filter, after });
          found.push(...page.checkpoints.map(({ id }) => id));
          expect(JSON.stringify(page).length).toBeLessThan(26 * 1024 * 1024);
          after = page.next;
          if (!after) break;
        }
        expect(found).toEqual(put);
        expect(pages).toBeGreaterThan(1);
      }
      const one = await suite.checkpoints.list({ thread, filter: { step: 1 } });
      expect(one.checkpoints.map(({ id }) => id)).toEqual([put[10]]);
    }, 20_000);

    test("a state that exceeds the memory limit can't be read, and stays unchanged", async () => {
      const thread = newThread();
      const large = JSON.stringify("x".repeat(30 * 1024 * 1024));
      const channels = ["a", "b", "c", "d", "e"];
      for (const channel of channels) {
        const value = { type: "json", data: large };
        await suite.checkpoints.put(host, checkpointOf(thread, { [channel]: 1 }), [{ channel, version: "1", value }]);
      }
      const fits = checkpointOf(thread, { a: 1, b: 1, c: 1, d: 1 });
      await suite.checkpoints.put(host, fits, []);
      expect((await suite.find(thread))?.versions).toHaveLength(4);
      await suite.checkpoints.put(host, checkpointOf(thread, { a: 1, b: 1, c: 1, d: 1, e: 1 }), []);
      const tooLarge = { code: "too_large", message: expect.stringContaining("larger than 128 MB") };
      await expect(suite.find(thread)).rejects.toMatchObject(tooLarge);
      await suite.checkpoints.prune(thread);
      await expect(suite.find(thread)).rejects.toMatchObject(tooLarge);

      const written = checkpointOf(newThread(), {});
      await suite.checkpoints.put(host, written, []);
      for (const [index] of channels.entries())
        await suite.checkpoints.putWrites(host, written, [{ ...write("t", index, 1), data: large }]);
      await expect(suite.find(written.thread)).rejects.toMatchObject(tooLarge);
    }, 60_000);

    test("pages of a thread contain each checkpoint once, newest first, and end", async () => {
      const thread = newThread();
      const put: string[] = [];
      for (let step = 0; step < 65; step++) {
        const one = checkpointOf(thread, {}, { ns: step % 5 === 0 ? "sub" : "" });
        await suite.checkpoints.put(
          host,
          { ...one, metadata: JSON.stringify({ step, odd: step % 2 === 1, in: { a: [1] } }) },
          [],
        );
        put.unshift(one.id);
      }
      const all = async (query: Parameters<CheckpointStore["list"]>[0]) => {
        const found: StoredCheckpoint[] = [];
        for (
          let page = await suite.checkpoints.list(query);
          ;
          page = await suite.checkpoints.list({ ...query, after: page.next })
        ) {
          found.push(...page.checkpoints);
          if (!page.next) return found;
        }
      };
      const steps = (found: readonly StoredCheckpoint[]) =>
        found.map(({ metadata }) => (JSON.parse(metadata) as { step: number }).step);
      expect((await all({ thread })).map(({ id }) => id)).toEqual(put);
      expect(await all({ thread, ns: "sub" })).toHaveLength(13);
      expect(steps(await all({ thread, filter: { odd: true, in: { a: [1] } } }))).toEqual(
        Array.from({ length: 32 }, (_, index) => 63 - 2 * index),
      );
      expect(await all({ thread, filter: { in: { a: [] } } })).toEqual([]);
      expect(steps((await suite.checkpoints.list({ thread, before: put[9], limit: 3 })).checkpoints)).toEqual([
        54, 53, 52,
      ]);
      expect(steps((await suite.checkpoints.list({ thread, id: put[9] })).checkpoints)).toEqual([55]);
      expect((await suite.checkpoints.list({ thread, limit: 0 })).checkpoints).toEqual([]);
    });

    test("one list distinguishes the checkpoints of several threads", async () => {
      const [a, b] = [newThread(), newThread()];
      const one = checkpointOf(a, { c: 1 });
      await suite.checkpoints.put(host, one, [{ channel: "c", version: "1", value: json("a") }]);
      await suite.checkpoints.put(host, { ...one, thread: b }, [{ channel: "c", version: "1", value: json("b") }]);
      const page = await suite.checkpoints.list({ id: one.id, limit: 1 });
      const rest = await suite.checkpoints.list({ id: one.id, after: page.next });
      expect([...page.checkpoints, ...rest.checkpoints].map(({ thread }) => thread)).toEqual([a, b]);
      expect(rest.channels).toEqual([
        { thread: b, ns: "", versions: [{ channel: "c", version: "1", value: json("b") }] },
      ]);
    });
  });
}
