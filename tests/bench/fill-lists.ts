/** Fills a database with very many threads and runs. */
import type { Kysely } from "kysely";
import { v4, v7 } from "uuid";
import { toRow } from "../../lib/drivers/sql/run-rows.ts";
import type { Tables } from "../../lib/drivers/sql/tables.ts";
import { labelRows } from "../../lib/drivers/sql/thread-labels.ts";
import { toThreadRow } from "../../lib/drivers/sql/thread-rows.ts";
import { labelsOf } from "../../lib/rules/threads/labels.ts";

const AT_ONCE = 1_000;
const BEGIN = Date.UTC(2026, 0, 1);
/** The assistants whose runs they are, each a third. */
export const assistants = [v4(), v4(), v4()] as const;

export const timeOf = (n: number): string => new Date(BEGIN + Math.floor(n) * 1_000).toISOString();

/** Stores threads, one a second, the newest last. */
export async function fillThreads(db: Kysely<Tables>, count: number): Promise<void> {
  const values = JSON.stringify({ messages: [{ type: "human", content: "x".repeat(300) }] });
  for (let begin = 0; begin < count; begin += AT_ONCE) {
    const rows = Array.from({ length: AT_ONCE }, (_, one) => {
      const n = begin + one;
      const metadata = {
        graph_id: "agent",
        owner: `user-${n % 200}`,
        account: n % 20_000,
        team: n < count / 2 ? "blue" : "red",
      };
      const status = n % 1_000 === 5 ? "error" : n % 100 === 7 ? "interrupted" : "idle";
      const thread = toThreadRow({ thread_id: v4(), metadata, config: {}, created_at: timeOf(n) });
      // Threads change in another order than they are created in.
      const changed = timeOf((n * 7_919) % count);
      const waiting = status === "interrupted" ? 1 : 0;
      return { ...thread, values, status, waiting, updated_at: changed, state_updated_at: changed } as const;
    });
    const labels = rows.flatMap((one) => labelRows(one, labelsOf(JSON.parse(one.metadata) as object as never)));
    await db.transaction().execute(async (tx) => {
      await tx.insertInto("threads").values(rows).execute();
      await tx.insertInto("thread_labels").values(labels).execute();
    });
  }
}

/** Stores runs, one a second, the newest last. `open`: some of them have not begun. */
export async function fillRuns(db: Kysely<Tables>, count: number, { open }: { open: boolean }): Promise<void> {
  const kwargs = { input: { messages: ["x".repeat(1_000)] }, stream_mode: ["values"] };
  for (let begin = 0; begin < count; begin += AT_ONCE) {
    const rows = Array.from({ length: AT_ONCE }, (_, one) => {
      const n = begin + one;
      const at = timeOf(n);
      const row = toRow({
        run_id: v7(),
        thread_id: v4(),
        assistant_id: assistants[n % 3] ?? "",
        graph_id: "agent",
        metadata: { ticket: n % 100 },
        kwargs: kwargs as never,
        multitask_strategy: "enqueue",
        trigger: n % 10 === 3 ? "cron" : "api",
        created_at: at,
        updated_at: at,
        keep: false,
        threaded: true,
      });
      const status =
        n % 100 === 7 ? "error" : n % 1_000 === 8 ? "interrupted" : open && n % 5_000 === 9 ? "pending" : "success";
      return { ...row, status, ended: status === "pending" ? null : row.due + 1_000 } as const;
    });
    await db.insertInto("runs").values(rows).execute();
  }
}
