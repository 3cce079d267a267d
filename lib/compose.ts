/** The composition root: chooses drivers and puts the parts together. */
import { join } from "node:path";
import { basics, logger, openDatabase } from "./compose-deployment.ts";
import { findIsolation } from "./compose-machine.ts";
import { LocalHosting } from "./compose-hosting.ts";
import { startDeployments } from "./compose-start.ts";
import { createBuildTools } from "./compose-builds.ts";
import { openHome } from "./drivers/home.ts";
import { apiKeyOf, keyPrintOf } from "./drivers/secrets/api-key.ts";
import { cardSignerOf } from "./drivers/secrets/card-key.ts";
import { readConsoleCode } from "./drivers/secrets/console-code.ts";
import { createSecretBox, secretOf } from "./drivers/secrets/secret-box.ts";
import { readFolderApp } from "./drivers/sources/folder.ts";
import { holdSchema } from "./drivers/sql/hold-schema.ts";
import { platformShape } from "./drivers/sql/platform/shape.ts";
import { platformStores } from "./drivers/sql/platform/stores.ts";
import { holdFolder } from "./drivers/sql/sqlite.ts";
import { isConfinedCaller } from "./drivers/workers/callers.ts";
import { createGuesses } from "./engine/guesses.ts";
import type { CardSigner, SessionStore } from "./engine/ports/keys.ts";
import type { ControlPlane } from "./engine/ports/control.ts";
import { createBuilder } from "./engine/control/builder.ts";
import { noteHealth } from "./engine/control/health.ts";
import type { Platform } from "./engine/ports/ports.ts";
import { createSessions, type Sessions } from "./engine/sessions.ts";
import { tidy } from "./engine/control/tidy.ts";
import { type Environment, EnvironmentError, keyWarning, readEnvironment } from "./env.ts";
import { createBodyBudget } from "./http/body-budget.ts";
import { type Running, startOnce } from "./platform.ts";
import { CONSOLE_LINK } from "./protocol/session.ts";
import { consoleCaller } from "./rules/http/console-caller.ts";

const TIDY_MS = 3_600_000;
/** A stream whose session has grown too old ends within this time. */
const SESSIONS_MS = 60_000;

/** Starts the platform of this process, once. */
export function startPlatform(options: { watch?: boolean } = {}): Promise<Running> {
  return startOnce(() => compose(readEnvironment(), options.watch ?? false));
}

async function compose(environment: Environment, watch: boolean): Promise<Running> {
  const cardSigner = await readCardSigner(environment);
  const release = await hold(environment);
  const holding = await findIsolation(environment);
  const { db, stores } = await openStores(environment);
  const news = newsOfDeployments();
  const box = createSecretBox(secretsOf(environment));
  const { onChange } = news;
  const platform: Platform = {
    ...basics,
    box,
    find: (name) => hosting.find(name),
    list: () => hosting.list(),
    onChange,
  };
  const { buildTools, runtimes } = createBuildTools(environment, holding, () => hosting.port);
  const hosting = new LocalHosting({
    environment,
    runtimes,
    holding,
    platform,
    lines: stores.lines,
    watch,
    onWorker(deployment) {
      news.tell();
      logged("the state of a worker could not be stored", noteHealth(platform, control, deployment));
    },
  });
  const control: ControlPlane = {
    ...stores,
    box,
    buildTools,
    hosting,
    grounds: holding.grounds,
    building: new Map(),
    wake: () => builder.wake(),
    changed: (name) => logged("a deployment could not be read", readLife(stores, hosting, name).then(news.tell)),
  };
  const builder = createBuilder(platform, control, environment.GRAPHLIB_BUILD_SLOTS);
  await startDeployments(platform, control, environment);
  builder.wake();
  const code = environment.GRAPHLIB_API_KEY === undefined ? readConsoleCode(environment.GRAPHLIB_HOME) : undefined;
  const sessions = await openSessions(stores.sessions, environment, code);
  const stopRounds = startRounds(platform, control, sessions);
  return {
    platform,
    control,
    consoleLink: await consoleLinkOf(environment, code),
    settings: { ...settingsOf(environment, code), cardSigner, sessions, guesses: createGuesses(basics.clock) },
    listening: (origin) => hosting.listening(origin),
    isDeployment: isConfinedCaller,
    async stop() {
      news.end();
      stopRounds();
      await builder.stop();
      await hosting.close();
      await stores.lines.flush();
      await db.destroy();
      await release();
    },
  };
}

async function openStores(environment: Environment) {
  const file = join(environment.GRAPHLIB_HOME, "platform.sqlite");
  const { db, commit } = await openDatabase(environment, "platform", file, platformShape);
  const onFailure = (cause: unknown): void => logger.error("a log could not be written", cause);
  return { db, stores: platformStores(db, commit, { now: basics.clock.now, onFailure }) };
}

function secretsOf({ GRAPHLIB_SECRET: secrets, GRAPHLIB_HOME: home }: Environment): readonly string[] {
  return secrets ?? [secretOf(join(home, "secret"))];
}

/** Starts the periodic work of the platform. Returns a function that stops it. */
function startRounds(platform: Platform, control: ControlPlane, sessions: Sessions): () => void {
  void tidy(platform, control);
  const timers = [
    setInterval(() => void tidy(platform, control), TIDY_MS),
    setInterval(() => void sessions.endOld(), SESSIONS_MS),
  ];
  for (const timer of timers) timer.unref();
  return () => timers.forEach((timer) => clearInterval(timer));
}

/** Sessions that were begun with another key, or another code of the console, are over. */
async function openSessions(
  store: SessionStore,
  environment: Environment,
  code: string | undefined,
): Promise<Sessions> {
  const warning = keyWarning(environment);
  if (warning !== undefined) logger.warn(warning);
  const [secret = ""] = secretsOf(environment);
  const keyPrint = keyPrintOf(environment.GRAPHLIB_API_KEY ?? code ?? "", secret);
  await store.endAll({ keyPrint });
  return createSessions({ store, keyPrint, clock: basics.clock, logger });
}

type PlainSettings = Omit<Running["settings"], "sessions" | "guesses">;

function settingsOf(environment: Environment, code: string | undefined): PlainSettings {
  const { GRAPHLIB_API_KEY: key } = environment;
  return {
    apiKey: key === undefined ? undefined : apiKeyOf(key),
    consoleKey: code === undefined ? undefined : apiKeyOf(code),
    publicUrl: environment.PUBLIC_URL,
    trustProxy: environment.TRUST_PROXY,
    localSources: environment.ALLOW_LOCAL_SOURCES,
    bodies: createBodyBudget(environment.GRAPHLIB_BODY_BUDGET_MB * 1024 * 1024),
  };
}

/** Throws `EnvironmentError` for a key that can't sign. */
async function readCardSigner({ GRAPHLIB_CARD_KEY: key }: Environment): Promise<CardSigner | undefined> {
  try {
    return key === undefined ? undefined : await cardSignerOf(key);
  } catch (error) {
    throw new EnvironmentError(`GRAPHLIB_CARD_KEY: ${error instanceof Error ? error.message : "not usable"}`);
  }
}

/** Where the console is opened, when the application that the server is started for lets in nobody it does not know. */
async function consoleLinkOf(
  { GRAPHLIB_APP: app, GRAPHLIB_API_KEY: key }: Environment,
  code: string | undefined,
): Promise<string | undefined> {
  if (code === undefined) return undefined;
  const { config } = await readFolderApp(app);
  const isClosed = consoleCaller({ auth: config?.auth, keyed: key !== undefined, passed: false }) === "closed";
  return isClosed ? `${CONSOLE_LINK}?code=${code}` : undefined;
}

interface News extends Pick<Platform, "onChange"> {
  tell(): void;
  /** Nobody is told anything from here on: a page that hears of workers ending asks a server for itself that is gone. */
  end(): void;
}

function newsOfDeployments(): News {
  const listeners = new Set<() => void>();
  let hasEnded = false;
  return {
    onChange(listener) {
      if (!hasEnded) listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    end() {
      hasEnded = true;
      listeners.clear();
    },
    tell() {
      for (const listener of listeners) listener();
    },
  };
}

/** Nobody waits for it; that it failed is said in the log. */
function logged(what: string, work: Promise<unknown>): void {
  work.catch((error: unknown) => logger.error(what, error));
}

/** The state folder, and the schemas of the database, are this process's alone. */
async function hold({
  GRAPHLIB_HOME: home,
  DATABASE_URL: url,
  DATABASE_SCHEMA: prefix,
}: Environment): Promise<() => void | Promise<void>> {
  openHome(home);
  const folder = holdFolder(home);
  if (url === undefined) return () => folder.release();
  const schemas = await holdSchema(url, `${prefix}_platform`, (reason) => logger.error(reason));
  return async () => {
    await schemas.release();
    folder.release();
  };
}

/** Reads how a deployment stands, for whoever looks at it. */
async function readLife(
  { deployments, revisions }: Pick<ControlPlane, "deployments" | "revisions">,
  hosting: LocalHosting,
  name: string,
): Promise<void> {
  const stored = await deployments.get(name);
  if (!stored) return;
  const { deployment_id, live } = stored;
  const [newest] = await revisions.list(deployment_id, { limit: 1 });
  const served = live === newest?.number || live === null ? newest : await revisions.get(deployment_id, live);
  hosting.setLife(name, { ...stored, ...(newest && { newest }), ...(live !== null && served && { served }) });
}
