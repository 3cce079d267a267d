/** Prepares the code of a build, with a process that has been started for it. */
import { compiledFolder } from "../drivers/builds/compile.ts";
import type { Runtimes } from "../drivers/builds/runtimes.ts";
import type { HostingOptions, PreparedCode } from "../drivers/hosting/local-hosting.ts";
import { createOutgoing, type OutgoingOptions } from "../drivers/outgoing.ts";
import { readFolderApp } from "../drivers/sources/folder.ts";
import { terminalLogger } from "../drivers/terminal-logger.ts";
import { createOutput } from "../drivers/workers/output.ts";
import { SupervisedWorker, type WorkerOptions } from "../drivers/workers/process.ts";
import type { WorkerProcess } from "../drivers/workers/replaceable-worker.ts";
import { createScratch } from "../drivers/workers/scratch.ts";
import { WorkerGroup } from "../drivers/workers/worker-group.ts";
import { answerHostRequest } from "../engine/host-requests.ts";
import { serverLogName } from "../engine/control/logs.ts";
import type { HostedCode } from "../engine/ports/app-code.ts";
import { StepFailure } from "../engine/ports/builds.ts";
import type { Build, ControlPlane } from "../engine/ports/control.ts";
import type { Environment } from "../env.ts";
import { serverEnvironment } from "../program-env.ts";
import type { AppConfig } from "../protocol/config.ts";
import { DEFAULT_DEPLOYMENT } from "../protocol/names.ts";
import { readSeeds, SEEDS_VARIABLE } from "../rules/assistants/seeds.ts";
import { configNotes } from "../rules/preflight/config-notes.ts";
import { secretsAmong } from "../rules/text/redact.ts";
import { fillHeaders } from "../rules/webhooks/webhook.ts";
import { unfencedNote } from "../rules/workers/isolation.ts";
import { lentVariables } from "../rules/workers/lent-variables.ts";
import { basics } from "./deployment.ts";
import { isolate, type MachineIsolation } from "./isolation.ts";

export interface CodeParts {
  environment: Environment;
  runtimes: Runtimes;
  isolation: MachineIsolation;
  lines: ControlPlane["lines"];
}

/** Returns a function that starts the processes for the code of a build. */
export function preparesCode({ environment, runtimes, isolation, lines }: CodeParts): HostingOptions["prepare"] {
  return async (build, opened, context, onError) => {
    const { name, settings } = build.deployment;
    const { app, config, lent, variables } = await readApp(build);
    const { seeds, problem } = readSeeds({ ...lent, ...variables }[SEEDS_VARIABLE]);
    if (problem !== undefined) throw new StepFailure(problem, { fix: "Correct the variable, or remove it." });
    const runtime = await runtimes.get(build.node, context);
    const output = createOutput({
      lines,
      log: serverLogName(build.deployment),
      logMb: settings.log_mb,
      label: name === DEFAULT_DEPLOYMENT ? "app" : name,
      // The variables of a `.env` file are not marked as secrets, so their names decide.
      secrets: { ...secretsAmong(app.variables), ...build.secrets },
    });
    const code = { ...build, folder: app.folder, graphs: config.graphs };
    const { account, ...isolated } = isolate(code, variables, { environment, runtime, isolation });
    const worker: WorkerOptions = {
      ...isolated,
      scratch:
        account &&
        createScratch({
          ...account,
          folder: account.scratch,
          scratchMb: settings.scratch_mb,
          log: (text) => void output({ from: "host", text }),
        }),
      node: runtime.node,
      main: runtime.main,
      folder: app.folder,
      root: build.root,
      graphs: config.graphs,
      auth: config.auth?.path,
      app: config.http.app,
      compiled: build.root === undefined ? undefined : compiledFolder(build.root),
      memoryMb: settings.memory_mb,
      now: basics.clock.now,
      answer: (origin, ask) => answerHostRequest(basics, opened.deployment, origin, ask),
      change: (...change) => opened.deployment.checkpoints.change(...change),
      echo(line) {
        const shown = output(line);
        if (line.from === "err") onError(shown);
      },
    };
    const start = (): WorkerProcess => startProcesses(settings.workers, worker);
    const unfenced = unfencedNote(build.source, isolation.facts);
    const outgoing = outgoingOf(config, { ...lent, ...variables }, environment, opened.self);
    const served: HostedCode = { config, problem: undefined, unfenced, ...outgoing };
    return { build, config, seeds, code: served, worker: start(), start } satisfies PreparedCode;
  };
}

/** Starts the processes of a deployment. Where there are several, the host's lines in its log say which one they mean. */
function startProcesses(count: number, options: WorkerOptions): WorkerProcess {
  if (count === 1) return new SupervisedWorker(options);
  return new WorkerGroup(count, (position) => {
    const name = `process ${position + 1} of ${count}`;
    return new SupervisedWorker({
      ...options,
      echo: (line) => options.echo(line.from === "host" ? { ...line, text: `${name}: ${line.text}` } : line),
    });
  });
}

/** Reads the configuration of a build and the values of its variables. Throws `StepFailure`. */
async function readApp(build: Build) {
  const { name } = build.deployment;
  // Only the operator's own folder gets variables of the server. Other deployments may have anybody's code.
  const lent = name === DEFAULT_DEPLOYMENT && build.root === undefined ? lentVariables(serverEnvironment()) : {};
  const app = await readFolderApp(build.folder, { root: build.root, environment: { ...lent, ...build.variables } });
  if (!app.config) throw new StepFailure(app.problem ?? "The configuration could not be read");
  for (const { setting, why } of configNotes(app.config)) {
    terminalLogger.warn(`${name}: the configuration says ${setting}: ${why}`);
  }
  return { app, config: app.config, lent, variables: { ...app.variables, ...build.variables } };
}

function outgoingOf(
  config: AppConfig,
  variables: Readonly<Record<string, string | undefined>>,
  environment: Environment,
  self: OutgoingOptions["self"],
): Pick<HostedCode, "outgoing" | "pushOutgoing"> {
  const { url, ...webhooks } = config.webhooks ?? { env_prefix: "" };
  const { headers, problem } = fillHeaders(webhooks, variables);
  if (problem !== undefined) terminalLogger.warn(`${problem}: webhooks go without these headers`);
  const { GRAPHLIB_WEBHOOK_SECRET: secret, GRAPHLIB_ALLOW_PRIVATE_WEBHOOKS: allowPrivate } = environment;
  const common = { secret, allowPrivate, self };
  const require_https = url?.require_https === true || !allowPrivate;
  return {
    outgoing: createOutgoing({ ...common, allowed: url, headers }),
    pushOutgoing: createOutgoing({ ...common, allowed: { ...url, require_https, disable_loopback: true } }),
  };
}
