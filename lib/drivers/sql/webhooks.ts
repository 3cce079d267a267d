import type { NewWebhook, WebhookStore } from "../../engine/ports/webhooks.ts";
import { receiverOf } from "../../rules/webhooks/receivers.ts";
import { skipLocked } from "./dialect.ts";
import type { GroupCommit } from "./group-commit.ts";
import type { Db, Tables } from "./tables.ts";

export function sqlWebhooks(db: Db, commit: GroupCommit<Tables>): WebhookStore {
  return {
    claim: (...order) => commit((tx) => claim(tx, ...order)),
    postpone: (runId, due) =>
      commit((tx) => tx.updateTable("webhooks").set({ due }).where("run_id", "=", runId).execute()).then(
        () => undefined,
      ),
    delete: (runId) =>
      commit((tx) => tx.deleteFrom("webhooks").where("run_id", "=", runId).execute()).then(() => undefined),
    async nextDue(busy = []) {
      const row = await db
        .selectFrom("webhooks")
        .select("due")
        .$if(busy.length > 0, (some) => some.where("host", "not in", busy))
        .orderBy("due")
        .limit(1)
        .executeTakeFirst();
      return row?.due;
    },
  };
}

async function claim(tx: Db, ...[limit, now, until, busy = []]: Parameters<WebhookStore["claim"]>) {
  return await tx
    // A common table expression is executed once, whatever the plan.
    .with("due_webhooks", (query) =>
      skipLocked(
        tx,
        query
          .selectFrom("webhooks")
          .select("run_id")
          .where("due", "<=", now)
          .$if(busy.length > 0, (some) => some.where("host", "not in", busy))
          .orderBy("due")
          .orderBy("run_id")
          .limit(limit),
      ),
    )
    .updateTable("webhooks")
    .set((eb) => ({ due: until, attempt: eb("webhooks.attempt", "+", 1) }))
    .where("run_id", "in", (eb) => eb.selectFrom("due_webhooks").select("run_id"))
    .returning(["run_id", "url", "body", "ended", "attempt"])
    .execute();
}

/** Inserts a webhook, in the transaction that ends its run. */
export async function insertWebhook(tx: Db, run_id: string, webhook: NewWebhook, now: number): Promise<void> {
  await tx
    .insertInto("webhooks")
    .values({ run_id, ...webhook, host: receiverOf(webhook.url), ended: now, due: now, attempt: 0 })
    .execute();
}
