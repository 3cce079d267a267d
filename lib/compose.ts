import { createHash } from "node:crypto";
import { join } from "node:path";
import { v7 as uuidV7 } from "uuid";
import { localLog } from "./drivers/log/local.ts";
import { apiKeyOf } from "./drivers/secrets/api-key.ts";
import { type FolderApp, readFolderApp } from "./drivers/sources/folder.ts";
import { sqlAssistants } from "./drivers/sql/assistants.ts";
import { groupCommit } from "./drivers/sql/group-commit.ts";
import { sqlRuns } from "./drivers/sql/runs.ts";
import { holdFolder, openSqlite } from "./drivers/sql/sqlite.ts";
import { sqlTasks } from "./drivers/sql/tasks.ts";
import { noWorker } from "./drivers/workers/none.ts";
import { SupervisedWorker } from "./drivers/workers/process.ts";
import { watchFolder } from "./drivers/workers/watch.ts";
import { ensureSystemAssistants } from "./engine/assistants.ts";
import { createDispatcher, type Dispatcher } from "./engine/dispatcher.ts";
import type { Deployment, Logger, Platform } from "./engine/ports.ts";
import { recoverRuns } from "./engine/runs.ts";
import { assistantIdOf } from "./rules/assistant-id.ts";
import { type Environment, readEnvironment, serverEnvironment, workerEnvironment } from "./env.ts";
import { type Running, startOnce } from "./platform.ts";
import packageJson from "../package.json" with { type: "json" };

/** Starts the platform of this process, once. */
export function startPlatform(options: { watch?: boolean } = {}): Promise<Running> {
  return startOnce(() => compose(readEnvironment(), options.watch ?? false));
}

const DEFAULT = "default";
const SWEEP_MS = 30_000;
/** Failed runs are kept longer: somebody will ask why. */
const FAILED_DAYS = 7;
const DAY_MS = 86_400_000;

const logger: Logger = {
  warn: (message, cause) => console.warn(`[graphlib] ${message}`, cause ?? ""),
  error: (message, cause) => console.error(`[graphlib] ${message}`, cause ?? ""),
};

async function compose(environment: Environment, watch: boolean): Promise<Running> {
  const home = environment.GRAPHLIB_HOME;
  const hold = holdFolder(home);
  const listeners = new Set<() => void>();
  const served = await serveFolder(environment, join(home, "deployments", DEFAULT), watch, () => {
    for (const listener of listeners) listener();
  });
  const deployments = new Map([[DEFAULT, served.deployment]]);
  const platform: Platform = {
    ...basics,
    find: (name) => deployments.get(name),
    list: () => [...deployments.values()],
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  await ensureSystemAssistants(platform, served.deployment);
  await recoverRuns(platform, served.deployment);
  const sweep = setInterval(() => void sweepRuns(served.deployment, environment), SWEEP_MS);
  sweep.unref();
  return {
    platform,
    settings: {
      apiKey: environment.GRAPHLIB_API_KEY === undefined ? undefined : apiKeyOf(environment.GRAPHLIB_API_KEY),
      publicUrl: environment.PUBLIC_URL,
      trustProxy: environment.TRUST_PROXY,
    },
    async stop() {
      clearInterval(sweep);
      await served.stop(environment.GRAPHLIB_GRACE_SECONDS * 1000);
      hold.release();
    },
  };
}

const basics = {
  clock: { now: Date.now },
  newId: uuidV7,
  sha1: (bytes: Uint8Array): Uint8Array => createHash("sha1").update(bytes).digest(),
  logger,
  version: packageJson.version,
};

interface Served {
  deployment: Deployment;
  stop(graceMs: number): Promise<void>;
}

/** Serves the application in a folder, with its own database and its own worker. */
async function serveFolder(
  environment: Environment,
  home: string,
  watch: boolean,
  onChange: () => void,
): Promise<Served> {
  const app = readFolderApp(environment.GRAPHLIB_APP, serverEnvironment());
  if (app.problem !== undefined) logger.warn(app.problem);
  const db = await openSqlite(join(home, "database.sqlite"));
  const commit = groupCommit(db);
  const runs = sqlRuns(db, commit);
  const worker = workerOf(app, environment);
  let dispatcher: Dispatcher | undefined;
  const deployment: Deployment = {
    name: DEFAULT,
    source: app.source,
    config: app.config,
    problem: app.problem,
    systemAssistants: new Map(
      Object.keys(app.config?.graphs ?? {}).map((graph) => [graph, assistantIdOf(graph, basics.sha1)]),
    ),
    assistants: sqlAssistants(db),
    runs,
    tasks: sqlTasks(db, commit),
    log: localLog(runs, basics.clock.now),
    worker,
    wake: (due) => dispatcher?.wake(due),
  };
  dispatcher = createDispatcher(deployment, { slots: environment.GRAPHLIB_RUN_SLOTS, clock: basics.clock, logger });
  worker.onChange(() => {
    dispatcher.wake();
    onChange();
  });
  const watching = watch ? watchFolder(app.folder, () => worker.restart()) : undefined;
  return {
    deployment,
    async stop(graceMs) {
      watching?.close();
      const drained = dispatcher.drain();
      await worker.stop(graceMs);
      await drained;
      await db.destroy();
    },
  };
}

function workerOf(app: FolderApp, environment: Environment) {
  if (!app.config) return noWorker(app.problem ?? "nothing to load");
  return new SupervisedWorker({
    main: join(process.cwd(), "lib", "worker", "main.ts"),
    folder: app.folder,
    env: workerEnvironment(app.variables, join(environment.GRAPHLIB_HOME, "compile-cache")),
    graphs: app.config.graphs,
    memoryMb: environment.GRAPHLIB_WORKER_MEMORY_MB,
    now: basics.clock.now,
    echo: (line) => {
      const stream = line.from === "err" ? process.stderr : process.stdout;
      stream.write(`[${line.from === "host" ? "graphlib" : "app"}] ${line.text}\n`);
    },
  });
}

async function sweepRuns(deployment: Deployment, environment: Environment): Promise<void> {
  const now = basics.clock.now();
  try {
    await deployment.runs.sweep(now - environment.RESUMABLE_STREAM_TTL_SECONDS * 1000, now - FAILED_DAYS * DAY_MS);
  } catch (error) {
    logger.error("old runs could not be deleted", error);
  }
}
