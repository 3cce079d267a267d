import { type Kysely, sql } from "kysely";
import { describe, expect, test } from "vitest";
import { localLog } from "../../lib/drivers/log/local.ts";
import { sqlAssistants } from "../../lib/drivers/sql/assistants.ts";
import { sqlCheckpoints } from "../../lib/drivers/sql/checkpoints.ts";
import { sqlCrons } from "../../lib/drivers/sql/crons.ts";
import type { GroupCommit } from "../../lib/drivers/sql/group-commit.ts";
import { sqlNotifications } from "../../lib/drivers/sql/push-notifications.ts";
import { sqlRuns } from "../../lib/drivers/sql/runs.ts";
import type { Tables } from "../../lib/drivers/sql/tables.ts";
import { sqlStore } from "../../lib/drivers/sql/store.ts";
import { sqlPushConfigs } from "../../lib/drivers/sql/task-pushes.ts";
import { sqlTasks } from "../../lib/drivers/sql/tasks.ts";
import { sqlWebhooks } from "../../lib/drivers/sql/webhooks.ts";
import { sqlThreads } from "../../lib/drivers/sql/threads.ts";
import { assistantStoreSuite } from "./assistants.suite.ts";
import { checkpointChangeSuite } from "./checkpoint-changes.suite.ts";
import { checkpointStoreSuite } from "./checkpoints.suite.ts";
import { checkpointThreadSuite } from "./checkpoint-threads.suite.ts";
import { cronStoreSuite } from "./crons.suite.ts";
import { dialectSuite } from "./dialect.suite.ts";
import { eventLogSuite } from "./log.suite.ts";
import { pushStoreSuite } from "./pushes.suite.ts";
import { readsSuite } from "./reads.suite.ts";
import { runSearchSuite } from "./run-search.suite.ts";
import { newRun, runStoreSuite } from "./runs.suite.ts";
import { storeItemsSuite } from "./store.suite.ts";
import { storeVisibilitySuite } from "./store-visibility.suite.ts";
import { threadEventsSuite } from "./thread-events.suite.ts";
import { taskStoreSuite } from "./tasks.suite.ts";
import { webhookStoreSuite } from "./webhooks.suite.ts";
import { threadPagesSuite } from "./thread-pages.suite.ts";
import { threadSearchSuite } from "./thread-search.suite.ts";
import { threadStoreSuite } from "./threads.suite.ts";

/** An empty database for one test, with a function that deletes it. */
export interface DatabaseUnderTest {
  db: Kysely<Tables>;
  commit: GroupCommit<Tables>;
  close(): Promise<void>;
}

/** Runs all suites of this folder against one database. */
export function databaseSuite(name: string, open: () => Promise<DatabaseUnderTest>): void {
  const openRuns = async () => {
    const { db, commit, close } = await open();
    return { db, commit, runs: sqlRuns(db, commit), close };
  };
  const openCheckpoints = async () => {
    const { db, commit, runs, close } = await openRuns();
    const weigh = async () => {
      const total = sql<{
        sum: number;
      }>`select coalesce(sum(length(data)), 0) as sum from ${sql.table("checkpoint_values")}`;
      return Number((await total.execute(db)).rows[0]?.sum);
    };
    const takeOver = async (runId: string): Promise<void> => {
      // Past the group commit, as a statement of another server comes.
      const change = db.updateTable("runs").set((eb) => ({ token: eb("token", "+", 1) }));
      await change.where("run_id", "=", runId).execute();
    };
    const threads = sqlThreads(db, commit);
    return { checkpoints: sqlCheckpoints(db, commit), runs, threads, takeOver, weigh, close };
  };

  dialectSuite(name, open);
  readsSuite(name, open);
  runStoreSuite(name, openRuns);
  runSearchSuite(name, open);
  assistantStoreSuite(name, async () => {
    const { db, commit, runs, close } = await openRuns();
    return { assistants: sqlAssistants(db, commit), runs, close };
  });
  for (const suite of [threadStoreSuite, threadSearchSuite]) {
    suite(name, async () => {
      const { db, commit, runs, close } = await openRuns();
      return { runs, threads: sqlThreads(db, commit), close };
    });
  }
  threadPagesSuite(name, open);
  cronStoreSuite(name, async () => {
    const { db, commit, runs, close } = await openRuns();
    return { runs, threads: sqlThreads(db, commit), crons: sqlCrons(db, commit), close };
  });
  webhookStoreSuite(name, async () => {
    const { db, commit, runs, close } = await openRuns();
    return { runs, webhooks: sqlWebhooks(db, commit), close };
  });
  taskStoreSuite(name, async () => {
    const { db, commit, runs, close } = await openRuns();
    return { runs, threads: sqlThreads(db, commit), tasks: sqlTasks(db, commit), close };
  });
  pushStoreSuite(name, async () => {
    const { db, commit, runs, close } = await openRuns();
    return {
      runs,
      threads: sqlThreads(db, commit),
      assistants: sqlAssistants(db, commit),
      tasks: sqlTasks(db, commit),
      pushes: sqlPushConfigs(db, commit),
      notifications: sqlNotifications(db, commit),
      close,
    };
  });
  checkpointStoreSuite(name, openCheckpoints);
  checkpointChangeSuite(name, openCheckpoints);
  checkpointThreadSuite(name, openCheckpoints);
  for (const suite of [storeItemsSuite, storeVisibilitySuite]) {
    suite(name, async () => {
      const { db, commit, close } = await open();
      return { items: sqlStore(db, commit), close };
    });
  }
  eventLogSuite(`this process over ${name}`, async () => {
    const { runs, close } = await openRuns();
    // No two readings of this clock agree, as on a slow machine.
    let readings = 0;
    return { runs, log: localLog(runs, () => Date.now() + readings++), close };
  });
  threadEventsSuite(`this process over ${name}`, async () => {
    const { runs, close } = await openRuns();
    return { runs, log: localLog(runs, Date.now), close };
  });

  describe(`writes to ${name}`, () => {
    test("that fail leave the others of their group unaffected", async () => {
      const { runs, close } = await openRuns();
      const [a, b] = [newRun(), newRun()];
      const results = await Promise.allSettled([runs.insert(a), runs.insert(a), runs.insert(b)]);
      expect(results.map((result) => result.status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
      const stored = await runs.list(["pending"]);
      expect(stored.map((run) => run.run_id).toSorted()).toEqual([a.run_id, b.run_id].toSorted());
      await close();
    });

    const counter = async ({ db }: DatabaseUnderTest): Promise<void> => {
      const json = { config: "{}", context: "{}", metadata: "{}" };
      const named = { assistant_id: "a", graph_id: "g", name: "n", description: null };
      const row = { ...named, ...json, version: 0, created_at: "", updated_at: "" };
      await db.insertInto("assistants").values(row).execute();
    };

    test("are executed one after another and isolated, however many statements they have", async () => {
      const database = await open();
      await counter(database);
      const increment = (): Promise<number> =>
        database.commit(async (tx) => {
          const { version } = await tx.selectFrom("assistants").select("version").executeTakeFirstOrThrow();
          await tx
            .updateTable("assistants")
            .set({ version: version + 1 })
            .execute();
          return version;
        });
      const seen = await Promise.all(Array.from({ length: 30 }, increment));
      expect(seen).toEqual(Array.from({ length: 30 }, (_, n) => n));
      await database.close();
    });

    test("that are independent keep the order of their first statements, and precede later writes", async () => {
      const database = await open();
      await counter(database);
      const increment = async (tx: Kysely<Tables>): Promise<number> => {
        const set = tx.updateTable("assistants").set((eb) => ({ version: eb("version", "+", 1) }));
        return (await set.returning("version").executeTakeFirstOrThrow()).version;
      };
      const seen = await Promise.all(
        Array.from({ length: 30 }, (_, n) => database.commit(increment, n % 10 === 9 ? {} : { independent: true })),
      );
      expect(seen).toEqual(Array.from({ length: 30 }, (_, n) => n + 1));
      await database.close();
    });
  });
}
