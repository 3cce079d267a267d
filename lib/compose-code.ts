/** The code of one build, ready to be started as a process. */
import { basics, type Code, logger } from "./compose-deployment.ts";
import type { MachineIsolation } from "./compose-machine.ts";
import { isolate } from "./compose-isolation.ts";
import { compiledFolder } from "./drivers/builds/compile.ts";
import type { Runtime } from "./drivers/builds/runtimes.ts";
import { createOutgoing, type OutgoingOptions } from "./drivers/outgoing.ts";
import { readFolderApp } from "./drivers/sources/folder.ts";
import { createScratch } from "./drivers/workers/scratch.ts";
import { SupervisedWorker, type WorkerOptions } from "./drivers/workers/process.ts";
import { serverLog } from "./engine/control/build-log.ts";
import { StepFailure } from "./engine/ports/builds.ts";
import type { Build, ControlPlane } from "./engine/ports/control.ts";
import { type Environment, serverEnvironment } from "./env.ts";
import type { AppConfig } from "./protocol/config.ts";
import { type AssistantSeeds, readSeeds, SEEDS_VARIABLE } from "./rules/assistants/seeds.ts";
import { configNotes } from "./rules/preflight/config-notes.ts";
import { lentVariables } from "./rules/workers/lent-variables.ts";
import { redactor, secretsAmong } from "./rules/text/redact.ts";
import { unfencedNote } from "./rules/workers/isolation.ts";
import { forTerminal } from "./rules/text/terminal-text.ts";
import { fillHeaders } from "./rules/webhooks/webhook.ts";

/**
 * The deployment that is there from the start. While it serves a folder in place, it takes declared variables from the
 * server's own environment.
 */
export const DEFAULT = "default";
const MB = 1024 * 1024;

export interface CodeOptions {
  environment: Environment;
  runtime: Runtime;
  holding: MachineIsolation;
  lines: ControlPlane["lines"];
  self: OutgoingOptions["self"];
  answer: WorkerOptions["answer"];
  /** Gets what its process writes to its error output. */
  heard?: (text: string) => void;
}

export interface Prepared {
  readonly build: Build;
  readonly config: AppConfig;
  readonly seeds: AssistantSeeds;
  readonly worker: SupervisedWorker;
  /** The notice for its page, where it runs without the second fence. */
  readonly unfenced: string | undefined;
  readonly outgoing: Pick<Code, "outgoing" | "pushOutgoing">;
  /** Starts another process of the same code. */
  readonly start: () => SupervisedWorker;
}

/** Starts a process for it. Throws `StepFailure` when its configuration can't be read. */
export async function prepareCode(build: Build, options: CodeOptions): Promise<Prepared> {
  const { environment, runtime, holding, lines, self, answer, heard } = options;
  const { name, settings } = build.deployment;
  // Variables of the server are for the operator's own folder alone: whatever else is deployed may be anybody's.
  const lent = name === DEFAULT && build.root === undefined ? lentVariables(serverEnvironment()) : {};
  const known = { ...lent, ...build.variables };
  const app = await readFolderApp(build.folder, { root: build.root, environment: known });
  if (!app.config) throw new StepFailure(app.problem ?? "The configuration could not be read");
  for (const { setting, why } of configNotes(app.config)) {
    logger.warn(`${name}: the configuration says ${setting}: ${why}`);
  }
  const variables = { ...app.variables, ...build.variables };
  const { graphs } = app.config;
  const { seeds, problem } = readSeeds({ ...lent, ...variables }[SEEDS_VARIABLE]);
  if (problem !== undefined) throw new StepFailure(problem, { fix: "Correct the variable, or remove it." });
  // A `.env` of the source is nobody's secret by word, but what it is called says enough.
  const echo = echoOf({ ...build, secrets: { ...secretsAmong(app.variables), ...build.secrets } }, lines);
  const { quarters, ...isolation } = isolate({ ...build, graphs }, app.folder, variables, {
    environment,
    runtime,
    holding,
  });
  const worker: WorkerOptions = {
    ...isolation,
    scratch:
      quarters &&
      createScratch({
        ...quarters,
        folder: quarters.scratch,
        scratchMb: settings.scratch_mb,
        tell: (text) => void echo({ at: "", from: "host", text }),
      }),
    node: runtime.node,
    main: runtime.main,
    folder: app.folder,
    root: build.root,
    graphs,
    auth: app.config.auth?.path,
    app: app.config.http.app,
    compiled: build.root === undefined ? undefined : compiledFolder(build.root),
    memoryMb: settings.memory_mb,
    now: basics.clock.now,
    answer,
    echo(line) {
      const shown = echo(line);
      if (line.from === "err") heard?.(shown);
    },
  };
  const start = (): SupervisedWorker => new SupervisedWorker(worker);
  const outgoing = outgoingOf(app.config, { ...lent, ...variables }, environment, self);
  const unfenced = unfencedNote(build.source, holding.grounds);
  return { build, config: app.config, seeds, worker: start(), unfenced, outgoing, start };
}

export function codeOf({ config, unfenced, outgoing }: Prepared): Code {
  return { config, problem: undefined, unfenced, ...outgoing };
}

/** What stands where code would. */
export function codeless(self: OutgoingOptions["self"]): Code {
  const outgoing = createOutgoing({ allowPrivate: false, self });
  return { config: undefined, problem: undefined, outgoing, pushOutgoing: outgoing };
}

/** What the code prints goes to its log, and to the terminal of whoever runs the server; secrets to neither. Answers what was shown. */
function echoOf(
  { deployment, secrets }: Build,
  lines: ControlPlane["lines"],
): (line: Parameters<WorkerOptions["echo"]>[0]) => string {
  const log = serverLog(deployment);
  const redact = redactor(secrets);
  const label = deployment.name === DEFAULT ? "app" : deployment.name;
  return ({ from, text }) => {
    const shown = redact(text);
    lines.append(log, [{ stream: from === "host" ? "us" : from, text: shown }], deployment.settings.log_mb * MB);
    const terminal = from === "err" ? process.stderr : process.stdout;
    terminal.write(`[${from === "host" ? "graphlib" : label}] ${forTerminal(shown)}\n`);
    return shown;
  };
}

function outgoingOf(
  config: AppConfig,
  variables: Readonly<Record<string, string | undefined>>,
  environment: Environment,
  self: OutgoingOptions["self"],
): Prepared["outgoing"] {
  const { url, ...webhooks } = config.webhooks ?? { env_prefix: "" };
  const { headers, problem } = fillHeaders(webhooks, variables);
  if (problem !== undefined) logger.warn(`${problem}: webhooks go without these headers`);
  const { GRAPHLIB_WEBHOOK_SECRET: secret, GRAPHLIB_ALLOW_PRIVATE_WEBHOOKS: allowPrivate } = environment;
  const common = { secret, allowPrivate, self };
  const require_https = url?.require_https === true || !allowPrivate;
  return {
    outgoing: createOutgoing({ ...common, allowed: url, headers }),
    pushOutgoing: createOutgoing({ ...common, allowed: { ...url, require_https, disable_loopback: true } }),
  };
}
