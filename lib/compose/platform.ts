/** The composition root: chooses drivers and puts the parts of the platform together. */
import { openHome } from "../drivers/home.ts";
import { LocalHosting, type OpenDeployment } from "../drivers/hosting/local-hosting.ts";
import { createOwnAddress } from "../drivers/hosting/own-address.ts";
import { createSecretBox } from "../drivers/secrets/secret-box.ts";
import type { Databases } from "../drivers/sql/databases.ts";
import { platformStores } from "../drivers/sql/platform/stores.ts";
import { isConfinedCaller } from "../drivers/workers/callers.ts";
import { createBuilder } from "../engine/control/builder.ts";
import { readLifecycle } from "../engine/control/deployment-lifecycle.ts";
import { recordHealth } from "../engine/control/health.ts";
import { startDeployments } from "../engine/control/start-deployments.ts";
import { sweepControlPlane } from "../engine/control/sweep.ts";
import type { ControlPlane } from "../engine/ports/control.ts";
import type { Deployment, Platform } from "../engine/ports/ports.ts";
import type { Sessions } from "../engine/sessions.ts";
import { type Environment, readEnvironment } from "../env.ts";
import { type Running, startOnce } from "../platform.ts";
import { createEmitter, type Emitter } from "../rules/emitter.ts";
import { withoutPaths } from "../worker/failure.ts";
import { openBlobs } from "./blobs.ts";
import { composeAccess, readCardSigner, secretsOf } from "./access.ts";
import { createBuildTools } from "./builds.ts";
import { databasesOf } from "./databases.ts";
import { createReadiness } from "./readiness.ts";
import { preparesCode } from "./code.ts";
import { basics, openDeployment } from "./deployment.ts";
import { findIsolation } from "./isolation.ts";
import type { Sharing } from "./peers.ts";
import { openSharing, POLL_MS, shareDeployments, tellChange } from "./sharing.ts";

const { logger } = basics;
const SWEEP_MS = 3_600_000;
/** A stream ends within this time after its session has expired. */
const SESSIONS_MS = 60_000;

/** Starts the platform of this process, once. */
export function startPlatform(options: { watch?: boolean } = {}): Promise<Running> {
  return startOnce(() => compose(readEnvironment(), options.watch ?? false));
}

async function compose(environment: Environment, watch: boolean): Promise<Running> {
  const cardSigner = await readCardSigner(environment);
  openHome(environment.GRAPHLIB_HOME);
  const databases = databasesOf(environment);
  if (environment.GRAPHLIB_ROLES) await databases.untilReachable(waitForDatabase);
  const release = await databases.lock();
  const isolation = await findIsolation(environment);
  const { db, stores } = await openStores(databases, environment.GRAPHLIB_ROLES && POLL_MS);
  const sharing = await openSharing(databases, db, environment);
  const address = createOwnAddress();
  const blobs = await openBlobs(db, environment);
  const { buildTools, runtimes } = createBuildTools(environment, isolation, address.port, blobs);
  const deployments = new Map<string, OpenDeployment>();
  const changes = createEmitter();
  const platform = platformOf(environment, deployments, changes);
  const workerChanges = createEmitter<[Deployment]>();
  const parts = { platform, environment, databases, sharing, address, onWorkerChange: workerChanges.emit };
  const hosting = new LocalHosting({
    deployments,
    open: (stored) => openDeployment(parts, stored),
    prepare: preparesCode({ environment, runtimes, isolation, lines: stores.lines }),
    dropDatabase: databases.dropDeployment,
    withoutPaths: (text, folder) => withoutPaths({ error: "", message: text }, folder).message,
    logger,
    graceMs: environment.GRAPHLIB_GRACE_SECONDS * 1000,
    watch,
  });
  const events = { changes, workerChanges, queued: createEmitter(), tellOthers: tellChange(sharing) };
  const own = { lease: sharing?.lease, ownFolder: environment.GRAPHLIB_APP, isolation: isolation.facts };
  const tools = { ...stores, box: platform.box, buildTools, hosting, ...own };
  const control = composeControl(platform, tools, deployments, events);
  const stopBuilder = await start(platform, control, { environment, sharing }, events);
  const { settings, consoleLink } = await composeAccess(environment, cardSigner, stores.sessions);
  const stopPeriodicWork = startPeriodicWork(platform, control, settings.sessions);
  return {
    platform,
    control,
    settings,
    consoleLink,
    listening: address.listening,
    isDeployment: isConfinedCaller,
    ...createReadiness(db, environment, sharing),
    async stop() {
      stopPeriodicWork();
      sharing?.wakes.stop();
      await stopBuilder();
      const closeDeployments = await hosting.shutDown();
      await stores.lines.flush();
      return async () => {
        await closeDeployments();
        await sharing?.close();
        await db.destroy();
        await databases.close();
        await release();
      };
    },
  };
}

function waitForDatabase(reason: string): void {
  logger.warn(`${reason} This server waits for it`);
}

function platformOf(
  environment: Environment,
  deployments: ReadonlyMap<string, OpenDeployment>,
  changes: Emitter<[]>,
): Platform {
  return {
    ...basics,
    box: createSecretBox(secretsOf(environment)),
    find: (name) => deployments.get(name)?.deployment,
    list: () => [...deployments.values()].map((one) => one.deployment),
    onChange: changes.on,
  };
}

interface PlatformEvents {
  /** The state of any deployment has changed. */
  changes: Emitter<[]>;
  /** The state of a deployment's worker has changed. */
  workerChanges: Emitter<[Deployment]>;
  /** A revision may wait to be built. */
  queued: Emitter<[]>;
  /** Tells other servers that a deployment has changed. */
  tellOthers: () => void;
}

function composeControl(
  platform: Platform,
  tools: Omit<ControlPlane, "building" | "troubles" | "wake" | "emitChange" | "noteChange" | "tellOthers">,
  deployments: ReadonlyMap<string, OpenDeployment>,
  { changes, workerChanges, queued, tellOthers }: PlatformEvents,
): ControlPlane {
  const troubles = new Map<string, string>();
  const refresh = async (name: string): Promise<void> => {
    const lifecycle = await readLifecycle({ ...tools, troubles }, name);
    if (lifecycle) deployments.get(name)?.setLifecycle(lifecycle);
    changes.emit();
  };
  const noteChange = (name: string): void => logFailure("a deployment could not be read", refresh(name));
  const control: ControlPlane = {
    ...tools,
    building: new Map(),
    troubles,
    tellOthers,
    wake: queued.emit,
    noteChange,
    emitChange(name) {
      noteChange(name);
      tellOthers();
    },
  };
  workerChanges.on((deployment) => {
    if (!deployments.has(deployment.name)) return;
    changes.emit();
    logFailure("the state of a worker could not be stored", recordHealth(platform, control, deployment));
  });
  return control;
}

/** Starts the deployments and the builder. Returns a function that stops the builder. */
async function start(
  platform: Platform,
  control: ControlPlane,
  { environment, sharing }: { environment: Environment; sharing: Sharing | undefined },
  { changes, queued }: PlatformEvents,
): Promise<() => Promise<void>> {
  const { GRAPHLIB_APP: path, GRAPHLIB_WORKER_MEMORY_MB: memory_mb, GRAPHLIB_WORKERS: workers } = environment;
  const inPlace = environment.GRAPHLIB_ROLES?.includes("build") === false;
  const builder = createBuilder(platform, control, { slots: environment.GRAPHLIB_BUILD_SLOTS, inPlace });
  queued.on(builder.wake);
  await startDeployments(platform, control, { path, memory_mb, workers });
  builder.wake();
  const stopSharing = sharing && shareDeployments(sharing, platform, control, builder.wake);
  return async () => {
    stopSharing?.();
    // Pages that were notified of ending workers would reload from a server that is gone.
    changes.close();
    await builder.stop();
  };
}

async function openStores(databases: Databases, pollMs: number | undefined) {
  const { db, commit } = await databases.openPlatform();
  const onFailure = (cause: unknown): void => logger.error("a log could not be written", cause);
  return { db, stores: platformStores(db, commit, { now: basics.clock.now, onFailure, pollMs }) };
}

/** Starts the periodic work of the platform. Returns a function that stops it. */
function startPeriodicWork(platform: Platform, control: ControlPlane, sessions: Sessions): () => void {
  void sweepControlPlane(platform, control);
  const timers = [
    setInterval(() => void sweepControlPlane(platform, control), SWEEP_MS),
    setInterval(() => void sessions.endOld(), SESSIONS_MS),
  ];
  for (const timer of timers) timer.unref();
  return () => timers.forEach((timer) => clearInterval(timer));
}

/** Logs the failure of work that nobody waits for. */
function logFailure(what: string, work: Promise<unknown>): void {
  work.catch((error: unknown) => logger.error(what, error));
}
