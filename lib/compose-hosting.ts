/** Where deployments are served: opens them, starts their code, and puts new code in the place of old. */
import { join } from "node:path";
import { basics, type Code, type OpenDeployment, openDeployment } from "./compose-deployment.ts";
import type { MachineIsolation } from "./compose-machine.ts";
import { codeless, codeOf, type Prepared, prepareCode } from "./compose-code.ts";
import type { Runtimes } from "./drivers/builds/runtimes.ts";
import { removeTree } from "./drivers/remove-tree.ts";
import { noWorker } from "./drivers/workers/none.ts";
import type { SupervisedWorker } from "./drivers/workers/process.ts";
import { type Rest, settled } from "./drivers/workers/replaceable-worker.ts";
import { watchFolder } from "./drivers/workers/watch.ts";
import { answerAsk } from "./engine/answer.ts";
import { type StepContext, StepFailure, type StoredDeployment } from "./engine/ports/builds.ts";
import type { Build, Candidate, ControlPlane, Hosting } from "./engine/ports/control.ts";
import type { DeploymentLife } from "./engine/ports/deployment-life.ts";
import type { Deployment, Platform } from "./engine/ports/ports.ts";
import type { Environment } from "./env.ts";
import { isInPlace } from "./rules/sources/in-place.ts";
import { startProblem } from "./rules/revisions/start-problem.ts";
import { withoutPaths } from "./worker/failure.ts";

/** Of what code said before it ended. */
const LAST_LINES = 100;
const LONGEST_MS = 10 * 60_000;

export interface HostingOptions {
  environment: Environment;
  platform: Platform;
  lines: ControlPlane["lines"];
  runtimes: Runtimes;
  holding: MachineIsolation;
  /** Restart code that is served in place when its files change. */
  watch: boolean;
  /** Called after every change of a worker's state. */
  onWorker: (deployment: Deployment) => void;
}

export class LocalHosting implements Hosting {
  readonly #options: HostingOptions;
  readonly #graceMs: number;
  readonly #opened = new Map<string, OpenDeployment>();
  readonly #opening = new Map<string, Promise<Deployment>>();
  readonly #prepared = new WeakMap<Candidate, Prepared>();
  readonly #watches = new Map<string, { close(): void }>();
  #origin: string | undefined;

  constructor(options: HostingOptions) {
    this.#options = options;
    this.#graceMs = options.environment.GRAPHLIB_GRACE_SECONDS * 1000;
  }

  async open(stored: StoredDeployment): Promise<Deployment> {
    const { name } = stored;
    const opening = this.find(name) ?? this.#opening.get(name) ?? this.#open(stored);
    if (opening instanceof Promise) this.#opening.set(name, opening);
    try {
      return await opening;
    } finally {
      this.#opening.delete(name);
    }
  }

  async #open(stored: StoredDeployment): Promise<Deployment> {
    const { platform, environment, onWorker } = this.#options;
    const { name } = stored;
    const code = codeless(() => this.#opened.get(name)?.self());
    const opened = await openDeployment(platform, environment, name, {
      life: stored,
      code,
      onChange: () => {
        const one = this.#opened.get(name);
        if (one) onWorker(one.deployment);
      },
    });
    if (this.#origin !== undefined) opened.listening(this.#origin);
    this.#opened.set(name, opened);
    return opened.deployment;
  }

  find(name: string): Deployment | undefined {
    return this.#opened.get(name)?.deployment;
  }

  list(): readonly Deployment[] {
    return [...this.#opened.values()].map((one) => one.deployment);
  }

  setLife(name: string, life: DeploymentLife): void {
    const one = this.#opened.get(name);
    if (one) one.life = life;
  }

  async start(build: Build, context: StepContext): Promise<Candidate> {
    const said: string[] = [];
    let starting = true;
    const heard = (text: string): void => {
      if (!starting) return;
      said.push(withoutPaths({ error: "", message: text }, build.folder).message);
      if (said.length > LAST_LINES) said.shift();
    };
    const candidate = await this.#prepare(build, context, heard);
    try {
      await loaded(this.#preparedOf(candidate).worker, context, { tolerant: build.root === undefined, said });
    } finally {
      starting = false;
    }
    return candidate;
  }

  async resume(build: Build): Promise<void> {
    const context: StepContext = { signal: new AbortController().signal, tell: () => undefined };
    this.serve(build.deployment.name, await this.#prepare(build, context));
  }

  async #prepare(build: Build, context: StepContext, heard?: (text: string) => void): Promise<Candidate> {
    const { environment, lines, runtimes, holding } = this.#options;
    const opened = this.#require(build.deployment.name);
    const prepared = await prepareCode(build, {
      environment,
      runtime: await runtimes.of(build.node, context),
      holding,
      lines,
      self: opened.self,
      heard,
      answer: (asker, ask) => answerAsk(basics, opened.deployment, asker, ask),
    });
    const candidate: Candidate = {
      worker: prepared.worker,
      config: prepared.config,
      seeds: prepared.seeds,
      discard: () => prepared.worker.stop(0),
    };
    this.#prepared.set(candidate, prepared);
    return candidate;
  }

  serve(name: string, candidate: Candidate): void {
    const prepared = this.#preparedOf(candidate);
    const { deployment, folder } = prepared.build;
    const minutes = deployment.settings.sleep_after_minutes;
    const rest: Rest | undefined =
      minutes === undefined ? undefined : { afterMs: minutes * 60_000, start: prepared.start };
    this.#replace(name, codeOf(prepared), prepared.worker, rest);
    this.#watches.get(name)?.close();
    this.#watches.delete(name);
    const { source } = deployment;
    if (this.#options.watch && isInPlace(source)) {
      this.#watches.set(
        name,
        watchFolder(folder, () => this.#opened.get(name)?.restart()),
      );
    }
  }

  async stop(name: string, reason: string): Promise<void> {
    const one = this.#opened.get(name);
    if (!one) return;
    const code = codeless(one.self);
    await one.serve(code, noWorker(reason, { status: "stopped" }), { graceMs: this.#graceMs });
  }

  async remove(name: string): Promise<void> {
    const one = this.#opened.get(name);
    if (!one) return;
    this.#opened.delete(name);
    await one.close(0);
    const folder = join(this.#options.environment.GRAPHLIB_HOME, "deployments", name);
    await removeTree(folder);
  }

  /** Where the server listens, once it does. */
  get port(): number | undefined {
    return this.#origin === undefined ? undefined : Number(new URL(this.#origin).port || "80");
  }

  listening(origin: string): void {
    this.#origin = origin;
    for (const one of this.#opened.values()) one.listening(origin);
  }

  async close(): Promise<void> {
    for (const one of this.#watches.values()) one.close();
    await Promise.all([...this.#opened.values()].map((one) => one.close(this.#graceMs)));
  }

  #replace(name: string, code: Code, worker: SupervisedWorker, rest: Rest | undefined): void {
    void this.#require(name)
      .serve(code, worker, { graceMs: this.#graceMs, rest })
      .catch((error: unknown) => this.#options.platform.logger.error(`a process of ${name} did not end`, error));
  }

  #preparedOf(candidate: Candidate): Prepared {
    const prepared = this.#prepared.get(candidate);
    if (!prepared) throw new Error("this candidate was not started here");
    return prepared;
  }

  #require(name: string): OpenDeployment {
    const one = this.#opened.get(name);
    if (!one) throw new StepFailure(`Deployment "${name}" is not there any more`);
    return one;
  }
}

/** Waits until the code has loaded, or throws with why it has not. */
async function loaded(
  worker: SupervisedWorker,
  { signal }: StepContext,
  { tolerant, said }: { tolerant: boolean; said: readonly string[] },
): Promise<void> {
  const aborted = Promise.withResolvers<void>();
  signal.addEventListener("abort", () => aborted.resolve(), { once: true });
  // The worker gives up by itself, and the step has its deadline.
  await Promise.race([settled(worker, LONGEST_MS), aborted.promise]);
  const state = worker.state();
  if ((state.status === "ready" || tolerant) && !signal.aborted) return;
  await worker.stop(0);
  signal.throwIfAborted();
  const reason = "reason" in state ? state.reason : "it did not start";
  const { message, fix } = startProblem(reason, said);
  throw new StepFailure(message, { fix });
}
