import { createHash, randomUUID } from "node:crypto";
import { join } from "node:path";
import type { Kysely } from "kysely";
import { v7 as uuidV7 } from "uuid";
import { calendar } from "./drivers/calendar.ts";
import { localLog } from "./drivers/log/local.ts";
import { createOutgoing } from "./drivers/outgoing.ts";
import { apiKeyOf } from "./drivers/secrets/api-key.ts";
import { type FolderApp, readFolderApp } from "./drivers/sources/folder.ts";
import { sqlAssistants } from "./drivers/sql/assistants.ts";
import { sqlCheckpoints } from "./drivers/sql/checkpoints.ts";
import { sqlThreads } from "./drivers/sql/threads.ts";
import { type Commit, groupCommit } from "./drivers/sql/group-commit.ts";
import { holdSchema } from "./drivers/sql/hold-schema.ts";
import { openPostgres } from "./drivers/sql/postgres.ts";
import { sqlCrons } from "./drivers/sql/crons.ts";
import { sqlRuns } from "./drivers/sql/runs.ts";
import { holdFolder, openSqlite } from "./drivers/sql/sqlite.ts";
import type { Tables } from "./drivers/sql/tables.ts";
import { sqlStore } from "./drivers/sql/store.ts";
import { sqlWebhooks } from "./drivers/sql/webhooks.ts";
import { sqlTasks } from "./drivers/sql/tasks.ts";
import { noWorker } from "./drivers/workers/none.ts";
import { SupervisedWorker, type WorkerOptions } from "./drivers/workers/process.ts";
import { watchFolder } from "./drivers/workers/watch.ts";
import { answerAsk } from "./engine/answer.ts";
import { ensureSystemAssistants } from "./engine/assistants.ts";
import { createCronLoop } from "./engine/crons.ts";
import type { Outgoing } from "./engine/webhook-ports.ts";
import { createDeliveryLoop } from "./engine/webhooks.ts";
import { createDispatcher, type Dispatcher } from "./engine/dispatcher.ts";
import type { Deployment, Logger, Platform } from "./engine/ports.ts";
import { recoverRuns } from "./engine/ending.ts";
import { sweep } from "./engine/sweep.ts";
import { fillHeaders } from "./rules/webhook.ts";
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
  const keptMs = environment.RESUMABLE_STREAM_TTL_SECONDS * 1000;
  const sweeping = setInterval(() => void sweep(platform, served.deployment, keptMs), SWEEP_MS);
  sweeping.unref();
  const crons = createCronLoop(platform, served.deployment);
  const deliveries = createDeliveryLoop(platform, served.deployment);
  served.tell({ cronDue: crons.wake, webhookDue: deliveries.wake });
  crons.wake();
  deliveries.wake();
  return {
    platform,
    settings: {
      apiKey: environment.GRAPHLIB_API_KEY === undefined ? undefined : apiKeyOf(environment.GRAPHLIB_API_KEY),
      publicUrl: environment.PUBLIC_URL,
      trustProxy: environment.TRUST_PROXY,
    },
    listening: served.listening,
    async stop() {
      clearInterval(sweeping);
      await Promise.all([crons.stop(), deliveries.stop()]);
      await served.stop(environment.GRAPHLIB_GRACE_SECONDS * 1000);
      hold.release();
    },
  };
}

const basics = {
  clock: { now: Date.now },
  calendar,
  newId: uuidV7,
  sha1: (bytes: Uint8Array): Uint8Array => createHash("sha1").update(bytes).digest(),
  logger,
  version: packageJson.version,
};

interface Served {
  deployment: Deployment;
  /** Who is told by the deployment, once they are there. */
  /** Says where this server answers, without a slash at the end. */
  listening(origin: string): void;
  /** Who is told by the deployment, once they are there. */
  tell(listeners: Pick<Deployment, "cronDue" | "webhookDue">): void;
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
  const { db, commit, release } = await openDatabase(environment, home);
  const stores = storesOf(db, commit);
  let dispatcher: Dispatcher | undefined;
  const worker = workerOf(app, environment, (asker, ask) => answerAsk(basics, deployment, asker, ask));
  let self: string | undefined;
  let told: Pick<Deployment, "cronDue" | "webhookDue"> | undefined;
  const pass = randomUUID();
  const deployment: Deployment = {
    name: DEFAULT,
    source: app.source,
    config: app.config,
    problem: app.problem,
    systemAssistants: new Map(
      Object.keys(app.config?.graphs ?? {}).map((graph) => [graph, assistantIdOf(graph, basics.sha1)]),
    ),
    ...stores,
    outgoing: outgoingOf(app, environment, () => self),
    log: localLog(stores.runs, basics.clock.now),
    worker,
    pass: apiKeyOf(pass),
    wake: (due) => dispatcher?.wake(due),
    cronDue: (due) => told?.cronDue(due),
    webhookDue: () => told?.webhookDue(),
  };
  dispatcher = createDispatcher(deployment, { slots: environment.GRAPHLIB_RUN_SLOTS, clock: basics.clock, logger });
  worker.onChange(() => {
    dispatcher.wake();
    onChange();
  });
  const watching = watch ? watchFolder(app.folder, () => worker.restart()) : undefined;
  return {
    deployment,
    listening(origin) {
      self = `${origin}/agents/${DEFAULT}`;
      worker.setHome({ url: self, pass });
    },
    tell: (listeners) => void (told = listeners),
    async stop(graceMs) {
      watching?.close();
      const drained = dispatcher.drain();
      await worker.stop(graceMs);
      await drained;
      await db.destroy();
      await release();
    },
  };
}

/** What a deployment keeps in its database. */
function storesOf(db: Kysely<Tables>, commit: Commit<Tables>) {
  return {
    assistants: sqlAssistants(db, commit),
    runs: sqlRuns(db, commit),
    tasks: sqlTasks(db, commit),
    threads: sqlThreads(db, commit),
    checkpoints: sqlCheckpoints(db, commit),
    items: sqlStore(db, commit),
    crons: sqlCrons(db, commit),
    webhooks: sqlWebhooks(db, commit),
  };
}

interface Database {
  db: Kysely<Tables>;
  commit: Commit<Tables>;
  /** Lets another server have the database; to be called last. */
  release(): Promise<void>;
}

async function openDatabase(
  { DATABASE_URL: url, DATABASE_SCHEMA: prefix }: Environment,
  home: string,
): Promise<Database> {
  if (url === undefined) {
    const db = await openSqlite(join(home, "database.sqlite"));
    // The folder is held already.
    return { db, commit: groupCommit(db), release: () => Promise.resolve() };
  }
  const schema = `${prefix}_${DEFAULT}`;
  const hold = await holdSchema(url, schema, (reason) => logger.error(reason));
  const opened = await openPostgres(url, schema, (cause) => logger.warn("the database went away, writes wait", cause));
  return { ...opened, release: () => hold.release() };
}

function outgoingOf(app: FolderApp, environment: Environment, self: () => string | undefined): Outgoing {
  const { url, ...webhooks } = app.config?.webhooks ?? { env_prefix: "" };
  const { headers, problem } = fillHeaders(webhooks, { ...serverEnvironment(), ...app.variables });
  if (problem !== undefined) logger.warn(`${problem}: webhooks go without these headers`);
  return createOutgoing({
    allowed: url,
    headers,
    secret: environment.GRAPHLIB_WEBHOOK_SECRET,
    allowPrivate: environment.GRAPHLIB_ALLOW_PRIVATE_WEBHOOKS,
    self,
  });
}

function workerOf(app: FolderApp, environment: Environment, answer: WorkerOptions["answer"]) {
  if (!app.config) return noWorker(app.problem ?? "nothing to load");
  return new SupervisedWorker({
    main: join(process.cwd(), "lib", "worker", "main.ts"),
    folder: app.folder,
    env: workerEnvironment(app.variables, join(environment.GRAPHLIB_HOME, "compile-cache")),
    graphs: app.config.graphs,
    auth: app.config.auth?.path,
    app: app.config.http.app,
    memoryMb: environment.GRAPHLIB_WORKER_MEMORY_MB,
    now: basics.clock.now,
    answer,
    echo: (line) => {
      const stream = line.from === "err" ? process.stderr : process.stdout;
      stream.write(`[${line.from === "host" ? "graphlib" : "app"}] ${line.text}\n`);
    },
  });
}
