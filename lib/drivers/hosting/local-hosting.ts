/** Hosts deployments in processes of this machine. */
import type { HostedCode } from "../../engine/ports/app-code.ts";
import { silentContext, type StepContext, StepFailure, type StoredDeployment } from "../../engine/ports/builds.ts";
import type { Build, Candidate, Hosting } from "../../engine/ports/control.ts";
import type { DeploymentLifecycle } from "../../engine/ports/deployment-lifecycle.ts";
import type { Deployment, Logger, Worker } from "../../engine/ports/ports.ts";
import type { AppConfig } from "../../protocol/config.ts";
import type { AssistantSeeds } from "../../rules/assistants/seeds.ts";
import { startProblem } from "../../rules/revisions/start-problem.ts";
import { isInPlace } from "../../rules/sources/in-place.ts";
import type { OutgoingOptions } from "../outgoing.ts";
import { rejectOnAbort } from "../reject-on-abort.ts";
import { settled, type SleepOptions, type WorkerProcess } from "../workers/replaceable-worker.ts";
import { watchFolder } from "../workers/watch.ts";

/** The last lines of error output that are kept while code starts, because they tell why it fails. */
const LAST_LINES = 100;
const LONGEST_START_MS = 10 * 60_000;

/** Code whose process was started beside the one that serves. */
export interface PreparedCode {
  readonly build: Build;
  readonly config: AppConfig;
  readonly seeds: AssistantSeeds;
  readonly code: HostedCode;
  readonly worker: WorkerProcess;
  /** Starts another process of the same code. */
  readonly start: () => WorkerProcess;
}

/** A deployment whose database is open and whose runs wait for its code. */
export interface OpenDeployment {
  readonly deployment: Deployment;
  /** Returns the deployment's own address; undefined until the server listens. */
  readonly self: OutgoingOptions["self"];
  setLifecycle(lifecycle: DeploymentLifecycle): void;
  /** Serves this code in place of the code before it; resolves when the process of that has ended. */
  serve(code: HostedCode, worker: WorkerProcess, options: { graceMs: number; sleep?: SleepOptions }): Promise<void>;
  /** Ends its code: requests are refused with `reason`. */
  stop(reason: string, graceMs: number): Promise<void>;
  /** Starts the process of its code anew. */
  restart(reason: string): void;
  /** Ends its code and its streams. Requests can still read and write its database. */
  end(graceMs: number): Promise<void>;
  /** Closes its database. */
  close(): Promise<void>;
}

export interface HostingOptions {
  /** The deployments that can be found, by name. */
  deployments: Map<string, OpenDeployment>;
  open(stored: StoredDeployment): Promise<OpenDeployment>;
  /** Starts a process for a build; `onError` gets what it writes to its error output. Throws `StepFailure`. */
  prepare(
    build: Build,
    deployment: OpenDeployment,
    context: StepContext,
    onError: (text: string) => void,
  ): Promise<PreparedCode>;
  dropDatabase(name: string): Promise<void>;
  /** Takes absolute paths out of what the code of a folder has printed. */
  withoutPaths(text: string, folder: string): string;
  logger: Logger;
  /** The time that replaced or stopped code has to finish its work, in ms. */
  graceMs: number;
  /** Restarts code that is served in place when its files change. */
  watch: boolean;
}

export class LocalHosting implements Hosting {
  readonly #options: HostingOptions;
  readonly #opening = new Map<string, Promise<OpenDeployment>>();
  readonly #prepared = new WeakMap<Candidate, PreparedCode>();
  /** The ids of the deployments that are open, by name. */
  readonly #ids = new Map<string, string>();
  /** The number of the revision that each deployment serves. */
  readonly #serving = new Map<string, number>();
  readonly #watches = new Map<string, { close(): void }>();

  constructor(options: HostingOptions) {
    this.#options = options;
  }

  async open(stored: StoredDeployment): Promise<Deployment> {
    const { deployments } = this.#options;
    const { name } = stored;
    // Another server may have deleted a deployment and made one of the same name.
    if (this.#ids.get(name) !== stored.deployment_id) await this.close(name);
    const known = deployments.get(name);
    if (known) return known.deployment;
    // A build opens its deployment too, perhaps at the same time as the call that created the deployment.
    const opening = this.#opening.get(name) ?? this.#options.open(stored);
    this.#opening.set(name, opening);
    try {
      const opened = await opening;
      this.#ids.set(name, stored.deployment_id);
      deployments.set(name, opened);
      return opened.deployment;
    } finally {
      this.#opening.delete(name);
    }
  }

  async start(build: Build, context: StepContext): Promise<Candidate> {
    const lines: string[] = [];
    let starting = true;
    const candidate = await this.#prepare(build, context, (text) => {
      if (!starting) return;
      lines.push(text);
      if (lines.length > LAST_LINES) lines.shift();
    });
    try {
      await untilLoaded(candidate.worker, context, {
        tolerant: build.root === undefined,
        printed: () => lines.map((text) => this.#options.withoutPaths(text, build.folder)),
      });
    } finally {
      starting = false;
    }
    return candidate;
  }

  async resume(build: Build): Promise<void> {
    const context = silentContext(new AbortController().signal);
    this.serve(build.deployment.name, await this.#prepare(build, context, () => undefined));
  }

  async #prepare(build: Build, context: StepContext, onError: (text: string) => void): Promise<Candidate> {
    const opened = this.#require(build.deployment.name);
    const prepared = await this.#options.prepare(build, opened, context, onError);
    const { worker, config, seeds } = prepared;
    const candidate: Candidate = { worker, config, seeds, discard: () => worker.stop(0) };
    this.#prepared.set(candidate, prepared);
    return candidate;
  }

  serve(name: string, candidate: Candidate): void {
    const prepared = this.#prepared.get(candidate);
    if (!prepared) throw new Error("this candidate was not started here");
    const { deployment, folder } = prepared.build;
    const { graceMs, logger, watch } = this.#options;
    const minutes = deployment.settings.sleep_after_minutes;
    const sleep = minutes === undefined ? undefined : { afterMs: minutes * 60_000, start: prepared.start };
    const opened = this.#require(name);
    this.#serving.set(name, prepared.build.number);
    opened
      .serve(prepared.code, prepared.worker, { graceMs, sleep })
      .catch((error: unknown) => logger.error(`a process of ${name} did not end`, error));
    this.#unwatch(name);
    if (watch && isInPlace(deployment.source)) {
      this.#watches.set(
        name,
        watchFolder(folder, () => opened.restart("its code changed")),
      );
    }
  }

  serving(name: string): number | undefined {
    return this.#serving.get(name);
  }

  async stop(name: string, reason: string): Promise<void> {
    this.#serving.delete(name);
    await this.#options.deployments.get(name)?.stop(reason, this.#options.graceMs);
  }

  async close(name: string): Promise<void> {
    const opened = this.#options.deployments.get(name);
    this.#options.deployments.delete(name);
    this.#ids.delete(name);
    this.#serving.delete(name);
    this.#unwatch(name);
    await opened?.end(0);
    await opened?.close();
  }

  async remove(name: string): Promise<void> {
    await this.close(name);
    // Also when it is not open: an earlier removal may have failed here.
    await this.#options.dropDatabase(name);
  }

  /** Ends the code of all deployments. Returns a function that closes their databases. */
  async shutDown(): Promise<() => Promise<unknown>> {
    for (const one of this.#watches.values()) one.close();
    const opened = [...this.#options.deployments.values()];
    await Promise.all(opened.map((one) => one.end(this.#options.graceMs)));
    return () => Promise.all(opened.map((one) => one.close()));
  }

  #unwatch(name: string): void {
    this.#watches.get(name)?.close();
    this.#watches.delete(name);
  }

  #require(name: string): OpenDeployment {
    const opened = this.#options.deployments.get(name);
    if (!opened) throw new StepFailure(`Deployment "${name}" does not exist any more`);
    return opened;
  }
}

/** Waits until the code has loaded, or throws with the reason why it has not. */
async function untilLoaded(
  worker: Worker,
  { signal }: StepContext,
  { tolerant, printed }: { tolerant: boolean; printed: () => readonly string[] },
): Promise<void> {
  // The worker gives up by itself, and the step has its deadline.
  await rejectOnAbort(settled(worker, LONGEST_START_MS), signal).catch(() => {});
  const state = worker.state();
  if ((state.status === "ready" || tolerant) && !signal.aborted) return;
  await worker.stop(0);
  signal.throwIfAborted();
  const reason = "reason" in state ? state.reason : "it did not start";
  const { message, fix } = startProblem(reason, printed());
  throw new StepFailure(message, { fix });
}
