/** A deployment with all that is its own: its database, its queue of runs, its crons and webhooks, its worker. */
import { createHash, randomUUID } from "node:crypto";
import { join } from "node:path";
import { v7 as uuidV7 } from "uuid";
import { calendar } from "./drivers/calendar.ts";
import { localLog } from "./drivers/log/local.ts";
import type { OutgoingOptions } from "./drivers/outgoing.ts";
import { apiKeyOf } from "./drivers/secrets/api-key.ts";
import { groupCommit } from "./drivers/sql/group-commit.ts";
import type { Shape } from "./drivers/sql/migrate.ts";
import { deploymentShape } from "./drivers/sql/migrations.ts";
import { openPostgres } from "./drivers/sql/postgres.ts";
import { openSqlite } from "./drivers/sql/sqlite.ts";
import { sqlStores } from "./drivers/sql/stores.ts";
import { terminalLogger } from "./drivers/terminal-logger.ts";
import { noWorker } from "./drivers/workers/none.ts";
import { ReplaceableWorker, type Rest, type WorkerProcess } from "./drivers/workers/replaceable-worker.ts";
import { createCronLoop } from "./engine/crons.ts";
import { createDispatcher } from "./engine/runs/dispatcher.ts";
import { recoverRuns } from "./engine/runs/ending.ts";
import type { ServedCode } from "./engine/ports/app-code.ts";
import type { DeploymentLife } from "./engine/ports/deployment-life.ts";
import type { Deployment, EventLog, Platform } from "./engine/ports/ports.ts";
import { createIdentities, type Identities } from "./engine/identities.ts";
import { createTaskFeeds } from "./engine/a2a/task-feeds.ts";
import { createSweep } from "./engine/runs/sweep.ts";
import type { Loop } from "./engine/loop.ts";
import type { LetterStore } from "./engine/ports/pushes.ts";
import type { TaskStore } from "./engine/ports/tasks.ts";
import type { Outgoing } from "./engine/ports/webhooks.ts";
import { createPushLoop } from "./engine/a2a/push-loop.ts";
import { createWebhookLoop } from "./engine/webhooks.ts";
import type { Environment } from "./env.ts";
import { PASS_HEADER } from "./protocol/worker.ts";
import { assistantIdOf } from "./rules/uuid.ts";
import packageJson from "../package.json" with { type: "json" };

const SWEEP_MS = 30_000;

export const logger = terminalLogger;

/** What every part of the engine needs of the world. */
export const basics = {
  clock: { now: Date.now },
  calendar,
  newId: uuidV7,
  sha1: (bytes: Uint8Array): Uint8Array => createHash("sha1").update(bytes).digest(),
  logger,
  version: packageJson.version,
};

/** The code that a deployment serves. */
export interface Code extends ServedCode {
  outgoing: Outgoing;
  pushOutgoing: Outgoing;
}

interface Current {
  code: Code;
  systemAssistants: ReadonlyMap<string, string>;
  identities: Identities;
}

export interface OpenDeployment {
  readonly deployment: Deployment;
  life: DeploymentLife;
  /** Where it answers itself; undefined until the server listens. */
  self: OutgoingOptions["self"];
  /** Serves this code in place of what was; resolves when the process before it has ended. */
  serve(code: Code, worker: WorkerProcess, options: { graceMs: number; rest?: Rest }): Promise<void>;
  restart(): void;
  /** Says where this server answers, without a slash at the end. */
  listening(origin: string): void;
  close(graceMs: number): Promise<void>;
}

/** Opens a deployment: it can be found, and its runs wait; none of its code is started. */
export async function openDeployment(
  platform: Platform,
  environment: Environment,
  name: string,
  options: { life: DeploymentLife; code: Code; onChange: () => void },
): Promise<OpenDeployment> {
  const file = join(environment.GRAPHLIB_HOME, "deployments", name, "database.sqlite");
  const { db, commit } = await openDatabase(environment, name, file, deploymentShape);
  const relay = new ReplaceableWorker(noWorker("This deployment is not live yet", { status: "starting", attempt: 1 }));
  const pass = randomUUID();
  const current = currentOf(options.code);
  let self: ReturnType<OutgoingOptions["self"]>;
  const deployment = deploymentOf(name, sqlStores(db, commit), {
    current,
    relay,
    pass,
    life: () => opened.life,
    loops: () => loops,
    allowPush: environment.GRAPHLIB_A2A_PUSH,
  });
  const loops = startLoops(platform, deployment, environment);
  let begun = false;
  relay.onChange(() => {
    if (!begun) return;
    loops.dispatcher.wake();
    // Crons that a user made wait for a worker that says what this user may do.
    loops.crons.wake(basics.clock.now());
    current.identities.forget();
    options.onChange();
  });
  const opened: OpenDeployment = {
    deployment,
    life: options.life,
    self: () => self,
    async serve(code, worker, how) {
      Object.assign(current, currentOf(code));
      // Only from here on it is known what the deployment's graphs are: a cron that fired before would find none.
      if (!begun) {
        begun = true;
        await recover(platform, deployment, loops);
      }
      // Whether it pushes is its configuration's to say.
      loops.pushes.wake();
      await relay.replace(worker, how);
    },
    restart: () => relay.restart(),
    listening(origin) {
      const url = `${origin}/agents/${name}`;
      self = { url, headers: { [PASS_HEADER]: pass } };
      relay.setHome({ url, pass });
    },
    async close(graceMs) {
      clearInterval(loops.sweeping);
      await Promise.all([loops.crons, loops.deliveries, loops.pushes].map((loop) => loop.stop()));
      await Promise.all([loops.dispatcher.stop(), relay.stop(graceMs)]);
      await deployment.taskFeeds.stop();
      deployment.log.close();
      await db.destroy();
    },
  };
  return opened;
}

/** What was under way when the last process ended. */
async function recover(platform: Platform, deployment: Deployment, { crons, deliveries }: Loops): Promise<void> {
  await recoverRuns(platform, deployment);
  await deployment.taskFeeds.recover();
  crons.wake();
  deliveries.wake();
}

interface Loops {
  dispatcher: Loop;
  crons: Loop;
  deliveries: Loop;
  pushes: Loop;
  sweeping: NodeJS.Timeout;
}

/** What of a deployment happens by itself. */
function startLoops(platform: Platform, deployment: Deployment, environment: Environment): Loops {
  const dispatcher = createDispatcher(deployment, {
    slots: environment.GRAPHLIB_RUN_SLOTS,
    clock: basics.clock,
    logger,
  });
  const crons = createCronLoop(platform, deployment);
  const deliveries = createWebhookLoop(platform, deployment);
  const pushes = createPushLoop(platform, deployment);
  const sweep = createSweep(platform, deployment, environment.RESUMABLE_STREAM_TTL_SECONDS * 1000);
  const sweeping = setInterval(() => void sweep(), SWEEP_MS).unref();
  return { dispatcher, crons, deliveries, pushes, sweeping };
}

interface Parts {
  current: Current;
  relay: ReplaceableWorker;
  pass: string;
  life: () => DeploymentLife;
  loops: () => Loops;
  /** The operator lets addresses be named that are told of tasks. */
  allowPush: boolean;
}

type Stores = ReturnType<typeof sqlStores>;

/** What of it changes with its code is looked up when it is asked for. */
function deploymentOf(
  name: string,
  stores: Stores,
  { current, relay, pass, life, loops, allowPush }: Parts,
): Deployment {
  const log = localLog(stores.runs, basics.clock.now);
  const deployment: Deployment = {
    name,
    get life() {
      return life();
    },
    get config() {
      return current.code.config;
    },
    get problem() {
      return current.code.problem;
    },
    get unfenced() {
      return current.code.unfenced;
    },
    get systemAssistants() {
      return current.systemAssistants;
    },
    get identities() {
      return current.identities;
    },
    get outgoing() {
      return current.code.outgoing;
    },
    get pushOutgoing() {
      return current.code.pushOutgoing;
    },
    get pushing() {
      return allowPush && current.code.config?.http.a2a?.push_notifications === true;
    },
    ...stores,
    get taskFeeds() {
      return taskFeeds;
    },
    log,
    ...watched(stores, log),
    worker: relay,
    pass: apiKeyOf(pass),
    wake: (due) => loops().dispatcher.wake(due),
    cronDue: (due) => loops().crons.wake(due),
    webhookDue: () => loops().deliveries.wake(),
    pushDue: () => loops().pushes.wake(),
  };
  const taskFeeds = createTaskFeeds(basics, deployment);
  return deployment;
}

/**
 * Who watches threads hears of what is stored of tasks: a state, which comes a moment after the end of its run is told,
 * and what became of a letter about it.
 */
function watched({ tasks, letters }: Stores, { tellThreads }: Pick<EventLog, "tellThreads">) {
  return {
    tasks: {
      ...tasks,
      async change(taskId, change) {
        const changed = await tasks.change(taskId, change);
        if (changed) tellThreads();
        return changed;
      },
    } satisfies TaskStore,
    letters: {
      ...letters,
      async settle(letter, outcome) {
        await letters.settle(letter, outcome);
        tellThreads();
      },
    } satisfies LetterStore,
  };
}

function currentOf(code: Code): Current {
  const graphs = Object.keys(code.config?.graphs ?? {});
  return {
    code,
    systemAssistants: new Map(graphs.map((graph) => [graph, assistantIdOf(graph, basics.sha1)])),
    identities: createIdentities(code.config?.auth?.cache, basics.clock),
  };
}

/** The database of this name: this file, or a schema of the PostgreSQL database that is configured. */
export async function openDatabase<T>(
  { DATABASE_URL: url, DATABASE_SCHEMA: prefix }: Pick<Environment, "DATABASE_URL" | "DATABASE_SCHEMA">,
  name: string,
  file: string,
  shape: Shape<T>,
) {
  if (url === undefined) {
    const db = await openSqlite(file, shape);
    return { db, commit: groupCommit(db) };
  }
  return await openPostgres(url, `${prefix}_${name}`, shape, (cause) =>
    logger.warn("the database went away, writes wait", cause),
  );
}
