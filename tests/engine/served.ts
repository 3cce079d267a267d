import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Kysely } from "kysely";
import { v7 as uuid } from "uuid";
import { calendar } from "../../lib/drivers/calendar.ts";
import { createOutgoing } from "../../lib/drivers/outgoing.ts";
import { createSecretBox } from "../../lib/drivers/secrets/secret-box.ts";
import { localLog } from "../../lib/drivers/log/local.ts";
import { type GroupCommit, groupCommit } from "../../lib/drivers/sql/group-commit.ts";
import { deploymentShape } from "../../lib/drivers/sql/migrations.ts";
import { openSqlite } from "../../lib/drivers/sql/sqlite.ts";
import { sqlStores } from "../../lib/drivers/sql/stores.ts";
import type { Tables } from "../../lib/drivers/sql/tables.ts";
import { noWorker } from "../../lib/drivers/workers/no-worker.ts";
import { ensureSystemAssistants } from "../../lib/engine/assistants.ts";
import { createIdentityCache } from "../../lib/engine/identity-cache.ts";
import { createTaskFeeds } from "../../lib/engine/a2a/task-feeds.ts";
import { noPeers } from "../../lib/engine/ports/peers.ts";
import type { Deployment, Platform } from "../../lib/engine/ports/ports.ts";
import type { RunEventStore } from "../../lib/engine/ports/runs.ts";
import { AppConfig } from "../../lib/protocol/config.ts";
import { assistantIdOf } from "../../lib/rules/uuid.ts";

/** A deployment over a real database, with a clock that a test sets, and without a worker. */
export interface ServedForTest {
  platform: Platform;
  deployment: Deployment;
  /** The stored events of its runs. */
  runEvents: RunEventStore;
  clock: { now(): number; time: number };
  /** Logged messages. */
  logged: string[];
  close(): Promise<void>;
}

/** Opens a deployment in a new SQLite file, unless a database is given. */
export async function serveForTest(changes: Partial<Deployment> = {}, opened?: OpenedDatabase): Promise<ServedForTest> {
  const { db, commit, close } = opened ?? (await openFile());
  const clock = {
    time: Date.UTC(2026, 10, 21, 9, 30),
    now: () => clock.time,
  };
  const stores = sqlStores(db, commit);
  const sha1 = (bytes: Uint8Array): Uint8Array => createHash("sha1").update(bytes).digest();
  const config = AppConfig.parse({ graphs: { agent: "./agent.ts:graph", other: "./other.ts:graph" } });
  const log = localLog(stores.runs, clock.now);
  const logged: string[] = [];
  const logger = {
    warn: (message: string) => void logged.push(message),
    error: (message: string) => void logged.push(message),
  };
  const deployment: Deployment = {
    name: "default",
    lifecycle: { deployment_id: "d", wanted: "running", live: 1, source: { type: "folder", path: "/app" } },
    config,
    problem: undefined,
    systemAssistants: new Map(Object.keys(config.graphs).map((graph) => [graph, assistantIdOf(graph, sha1)])),
    ...stores,
    outgoing: createOutgoing({ allowPrivate: true, self: () => undefined }),
    log,
    pushOutgoing: createOutgoing({ allowPrivate: true, self: () => undefined }),
    pushEnabled: false,
    get taskFeeds() {
      return taskFeeds;
    },
    worker: noWorker("not needed", { status: "starting", attempt: 1 }),
    identityCache: createIdentityCache(undefined, clock),
    pass: { matches: () => false },
    lease: undefined,
    peers: noPeers,
    wake: () => undefined,
    cronDue: () => undefined,
    webhookDue: () => undefined,
    pushDue: () => undefined,
    ...changes,
  };
  const taskFeeds = createTaskFeeds({ clock, logger, sha1 }, deployment);
  const platform: Platform = {
    clock,
    calendar,
    newId: uuid,
    sha1,
    logger,
    box: createSecretBox(["a secret of the test"]),
    version: "0.0.0",
    find: () => deployment,
    list: () => [deployment],
    onChange: () => () => undefined,
  };
  await ensureSystemAssistants(platform, deployment, config);
  return {
    platform,
    deployment,
    runEvents: stores.runs,
    clock,
    logged,
    close,
  };
}

export interface OpenedDatabase {
  db: Kysely<Tables>;
  commit: GroupCommit<Tables>;
  close(): Promise<void>;
}

export async function openMemory(): Promise<OpenedDatabase> {
  const db = await openSqlite(":memory:", deploymentShape);
  return { db, commit: groupCommit(db), close: () => db.destroy() };
}

async function openFile(): Promise<OpenedDatabase> {
  const folder = mkdtempSync(join(tmpdir(), "graphlib-engine-"));
  const db = await openSqlite(join(folder, "database.sqlite"), deploymentShape);
  return {
    db,
    commit: groupCommit(db),
    async close() {
      await db.destroy();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
