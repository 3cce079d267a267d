import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { RunStore } from "../../lib/engine/ports/ports.ts";
import type { RunEventStore } from "../../lib/engine/ports/runs.ts";
import type { WebhookStore } from "../../lib/engine/ports/webhooks.ts";
import { begin, newRun, running } from "./runs.suite.ts";

export interface WebhookStoreUnderTest {
  runs: RunStore & RunEventStore;
  webhooks: WebhookStore;
  close(): Promise<void>;
}

/** Tests that every store of webhooks must pass, on any database. */
export function webhookStoreSuite(name: string, open: () => Promise<WebhookStoreUnderTest>): void {
  describe(`webhooks in ${name}`, () => {
    let store: WebhookStoreUnderTest;
    beforeEach(async () => {
      store = await open();
    });
    afterEach(async () => {
      await store.close();
    });

    const webhook = { url: "https://example.com/hook", body: '{"run_id":"r"}' };
    async function end(at: number, token = 1): Promise<string> {
      const run = newRun();
      await store.runs.insert(run);
      await store.runs.claim(1, Date.now() + 1_000, begin);
      await store.runs.finish(running(run.run_id, token), { status: "success", webhook }, [], at);
      return run.run_id;
    }

    test("one is stored with the end of its run, and not if that is refused", async () => {
      const run_id = await end(1_000);
      await end(1_000, 7);
      expect(await store.webhooks.nextDue()).toBe(1_000);
      expect(await store.webhooks.claim(10, 999, 5_000)).toEqual([]);
      expect(await store.webhooks.claim(10, 1_000, 5_000)).toEqual([{ ...webhook, run_id, ended: 1_000, attempt: 1 }]);
    });

    test("none is claimed twice, and one that was not delivered is due again", async () => {
      for (let n = 0; n < 20; n++) await end(1_000);
      const claims = await Promise.all(Array.from({ length: 5 }, () => store.webhooks.claim(7, 2_000, 5_000)));
      const taken = claims.flat().map((one) => one.run_id);
      expect(new Set(taken).size).toBe(20);
      expect(taken).toHaveLength(20);
      expect(await store.webhooks.nextDue()).toBe(5_000);
      const again = await store.webhooks.claim(100, 5_000, 9_000);
      expect(again.map((one) => one.attempt)).toEqual(Array(20).fill(2));
    });

    test("none goes to a busy host, nor does it count for the next due time", async () => {
      await end(1_000);
      expect(await store.webhooks.claim(7, 2_000, 5_000, ["example.com"])).toEqual([]);
      expect(await store.webhooks.nextDue(["example.com"])).toBeUndefined();
      expect(await store.webhooks.nextDue(["other.example"])).toBe(1_000);
      expect(await store.webhooks.claim(7, 2_000, 5_000, ["other.example"])).toHaveLength(1);
    });

    test("one waits as long as it is postponed, until it is deleted", async () => {
      const [first, second] = [await end(1_000), await end(2_000)];
      await store.webhooks.claim(1, 1_000, 5_000);
      await store.webhooks.postpone(first, 9_000);
      expect(await store.webhooks.nextDue()).toBe(2_000);
      await store.webhooks.delete(second);
      expect(await store.webhooks.nextDue()).toBe(9_000);
      await store.webhooks.delete(first);
      expect(await store.webhooks.nextDue()).toBeUndefined();
    });
  });
}
