/** Changes of checkpoints that a run tells its host without waiting for an answer. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CheckpointChange, NewCheckpoint } from "../../lib/protocol/checkpoints.ts";
import type { RunError } from "../../lib/protocol/stream.ts";
import {
  checkpointOf,
  type CheckpointStoreUnderTest,
  claimedRun,
  openForSuite,
  newThread,
  write,
} from "./checkpoint-samples.ts";
import { newRun, running } from "./runs.suite.ts";

const putOf = (one: NewCheckpoint): CheckpointChange & { do: "put" } => ({
  about: "checkpoint",
  do: "put",
  ...one,
  versions: [],
});

export function checkpointChangeSuite(name: string, open: () => Promise<CheckpointStoreUnderTest>): void {
  describe(`changes of checkpoints in ${name}`, () => {
    const suite = openForSuite(open);

    test("changes that nobody waits for are made in order, up to the first that fails, and the end of their run after them", async () => {
      const kinds = fc.constantFrom("put", "writes", "without base");
      await fc.assert(
        fc.asyncProperty(fc.array(kinds, { maxLength: 6 }), fc.boolean(), async (changes, sameGroup) => {
          const { run_id, token } = await claimedRun(suite.runs);
          const thread = newThread();
          let failure: RunError | undefined;
          const made = changes.map((kind) => ({ kind, one: checkpointOf(thread, { a: "2" }) }));
          const work = made.map(({ kind, one }) => {
            const put = putOf(one);
            const writes: CheckpointChange = { about: "checkpoint", do: "writes", ...one, writes: [write("t", 0, 1)] };
            const base = { channel: "a", version: "2", value: { base: "1", keep: 0, items: [] } };
            const changed = { put, writes, "without base": { ...put, versions: [base] } }[kind];
            const origin = { run: run_id, token };
            return suite.checkpoints
              .change(origin, changed, () => failure !== undefined)
              .catch((error: unknown) => void (failure ??= { error: "HostError", message: String(error) }));
          });
          if (!sameGroup) await Promise.all(work);
          const ending = suite.runs.finish(
            running(run_id, token),
            { status: "success", unstored: () => failure },
            [],
            Date.now(),
          );
          const failed = changes.indexOf("without base");
          const good = failed < 0 ? made : made.slice(0, failed);
          if (failed < 0) expect(await ending).toBeDefined();
          else await expect(ending).rejects.toMatchObject({ code: "conflict", reason: "unstored" });
          await Promise.all(work);
          const page = await suite.checkpoints.list({ thread, ns: "" });
          const puts = good.filter(({ kind }) => kind === "put").map(({ one }) => one.id);
          expect(page.checkpoints.map(({ id }) => id)).toEqual(puts.toReversed());
          if (failed >= 0) await suite.runs.finish(running(run_id, token), { status: "error" }, [], Date.now());
        }),
        { numRuns: 40 },
      );
    });

    test("a token that was current in one transaction is checked again in the next", async () => {
      const { run_id, token } = await claimedRun(suite.runs);
      const one = checkpointOf(newThread(), {});
      await suite.checkpoints.change({ run: run_id, token }, putOf(one), () => false);
      await suite.takeOver(run_id);
      await expect(suite.checkpoints.change({ run: run_id, token }, putOf(one), () => false)).rejects.toMatchObject({
        code: "conflict",
      });
    });

    test("a change after the deletion of its thread is refused, in the same group of writes too", async () => {
      const thread_id = newThread();
      const run = { ...newRun(), thread_id, threaded: true };
      await suite.runs.enqueue(run, {
        alone: false,
        metadata: {},
        create: { thread_id, metadata: {}, config: {}, created_at: run.created_at },
      });
      const [claimed] = await suite.runs.claim(1, Date.now() + 1, () => ({ event: "metadata", data: "{}" }));
      const origin = { run: run.run_id, token: claimed?.token ?? -1 };
      const first = suite.checkpoints.change(origin, putOf(checkpointOf(thread_id, {})), () => false);
      const deleted = suite.threads.delete(thread_id);
      const after = suite.checkpoints.change(origin, putOf(checkpointOf(thread_id, {})), () => false);
      await first;
      await deleted;
      await expect(after).rejects.toMatchObject({ code: "conflict" });
    });

    test("a change is refused once the run has ended, and with another token", async () => {
      const { run_id, token } = await claimedRun(suite.runs);
      const one = checkpointOf(newThread(), {});
      const put = putOf(one);
      const change = (origin: { run: string; token: number }) => suite.checkpoints.change(origin, put, () => false);
      await expect(change({ run: run_id, token: token + 1 })).rejects.toMatchObject({ code: "conflict" });
      const ended = suite.runs.finish(running(run_id, token), { status: "success" }, [], Date.now());
      // It comes after the end, in the same group of writes.
      await expect(change({ run: run_id, token })).rejects.toMatchObject({ code: "conflict" });
      await ended;
      expect(await suite.find(one.thread)).toBeUndefined();
    });
  });
}
