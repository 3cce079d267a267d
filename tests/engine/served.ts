import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { v7 as uuid } from "uuid";
import { calendar } from "../../lib/drivers/calendar.ts";
import { createOutgoing } from "../../lib/drivers/outgoing.ts";
import { localLog } from "../../lib/drivers/log/local.ts";
import { sqlAssistants } from "../../lib/drivers/sql/assistants.ts";
import { sqlCheckpoints } from "../../lib/drivers/sql/checkpoints.ts";
import { sqlStore } from "../../lib/drivers/sql/store.ts";
import { sqlCrons } from "../../lib/drivers/sql/crons.ts";
import { groupCommit } from "../../lib/drivers/sql/group-commit.ts";
import { sqlRuns } from "../../lib/drivers/sql/runs.ts";
import { openSqlite } from "../../lib/drivers/sql/sqlite.ts";
import { sqlTasks } from "../../lib/drivers/sql/tasks.ts";
import { sqlThreads } from "../../lib/drivers/sql/threads.ts";
import { sqlWebhooks } from "../../lib/drivers/sql/webhooks.ts";
import { noWorker } from "../../lib/drivers/workers/none.ts";
import { ensureSystemAssistants } from "../../lib/engine/assistants.ts";
import type { Deployment, Platform } from "../../lib/engine/ports.ts";
import { AppConfig } from "../../lib/protocol/config.ts";
import { assistantIdOf } from "../../lib/rules/assistant-id.ts";

/** A deployment over a real database with a clock that stands until it is set, and a worker that is not there. */
export interface ServedForTest {
  platform: Platform;
  deployment: Deployment;
  clock: { now(): number; time: number };
  /** What was logged. */
  logged: string[];
  close(): Promise<void>;
}

export async function serveForTest(changes: Partial<Deployment> = {}): Promise<ServedForTest> {
  const folder = mkdtempSync(join(tmpdir(), "graphlib-engine-"));
  const db = await openSqlite(join(folder, "database.sqlite"));
  const commit = groupCommit(db);
  const clock = {
    time: Date.UTC(2026, 10, 21, 9, 30),
    now: () => clock.time,
  };
  const runs = sqlRuns(db, commit);
  const sha1 = (bytes: Uint8Array): Uint8Array => createHash("sha1").update(bytes).digest();
  const config = AppConfig.parse({ graphs: { agent: "./agent.ts:graph", other: "./other.ts:graph" } });
  const deployment: Deployment = {
    name: "default",
    source: "test",
    config,
    problem: undefined,
    systemAssistants: new Map(Object.keys(config.graphs).map((graph) => [graph, assistantIdOf(graph, sha1)])),
    assistants: sqlAssistants(db, commit),
    runs,
    tasks: sqlTasks(db, commit),
    threads: sqlThreads(db, commit),
    checkpoints: sqlCheckpoints(db, commit),
    items: sqlStore(db, commit),
    crons: sqlCrons(db, commit),
    webhooks: sqlWebhooks(db, commit),
    outgoing: createOutgoing({ allowPrivate: true, self: () => undefined }),
    log: localLog(runs, clock.now),
    worker: noWorker("not needed"),
    pass: { matches: () => false },
    wake: () => undefined,
    cronDue: () => undefined,
    webhookDue: () => undefined,
    ...changes,
  };
  const logged: string[] = [];
  const platform: Platform = {
    clock,
    calendar,
    newId: uuid,
    sha1,
    logger: { warn: (message) => void logged.push(message), error: (message) => void logged.push(message) },
    version: "0.0.0",
    find: () => deployment,
    list: () => [deployment],
    onChange: () => () => undefined,
  };
  await ensureSystemAssistants(platform, deployment);
  return {
    platform,
    deployment,
    clock,
    logged,
    async close() {
      await db.destroy();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
