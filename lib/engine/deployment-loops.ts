/** Background work of a deployment: claims runs, fires crons, delivers webhooks and push notifications, and sweeps. */
import { createEmitter, type Emitter } from "../rules/emitter.ts";
import { createPushLoop } from "./a2a/push-loop.ts";
import { createCronLoop } from "./crons.ts";
import type { Deployment, Platform } from "./ports/ports.ts";
import { createDispatcher, type Dispatcher } from "./runs/dispatcher.ts";
import { recoverRuns } from "./runs/ending.ts";
import { shareRuns, takeOverRuns } from "./runs/sharing.ts";
import { createSweep } from "./runs/sweep.ts";
import { createWebhookLoop } from "./webhooks.ts";

const SWEEP_MS = 30_000;

/** Events that wake a loop: now, or at a time (ms since the epoch). */
export interface DueEvents {
  runs: Emitter<[due?: number]>;
  crons: Emitter<[due?: number]>;
  webhooks: Emitter<[]>;
  pushes: Emitter<[]>;
}

export function createDueEvents(): DueEvents {
  return { runs: createEmitter(), crons: createEmitter(), webhooks: createEmitter(), pushes: createEmitter() };
}

export interface DeploymentLoops {
  /** Absent on a server that leaves runs to others. */
  readonly dispatcher?: Pick<Dispatcher, "wake" | "isFull">;
  /** Resumes what was under way when the last process ended, or what servers that are gone have left. */
  recover(): Promise<void>;
  /** Starts nothing more. Resolves when all work and the worker have ended. */
  stop(stopWorker: () => Promise<void>): Promise<void>;
}

export interface LoopOptions {
  /** The number of runs at a time in one process. */
  slots: number;
  /** The time for which the events of a run can be read after its end, in ms. */
  keptMs: number;
}

/** Starts the loops of a server that executes runs. */
export function startLoops(
  platform: Platform,
  deployment: Deployment,
  due: DueEvents,
  { slots, keptMs }: LoopOptions,
): DeploymentLoops {
  const dispatcher = createDispatcher(deployment, { slots, ...platform });
  const crons = createCronLoop(platform, deployment);
  const deliveries = createWebhookLoop(platform, deployment);
  const pushes = createPushLoop(platform, deployment);
  due.runs.on(dispatcher.wake);
  due.crons.on(crons.wake);
  due.webhooks.on(deliveries.wake);
  due.pushes.on(pushes.wake);
  const sweep = createSweep(platform, deployment, keptMs);
  const sweeping = setInterval(() => void sweep(), SWEEP_MS).unref();
  let stopSharing = (): void => undefined;
  return {
    dispatcher,
    async recover() {
      if (deployment.lease) {
        await takeOverRuns(deployment, deployment.lease);
        stopSharing = shareRuns(platform, deployment, () => {
          for (const loop of [dispatcher, crons, deliveries, pushes]) loop.wake();
        });
      } else await recoverRuns(platform, deployment);
      await deployment.taskFeeds.recover();
      crons.wake();
      deliveries.wake();
    },
    async stop(stopWorker) {
      clearInterval(sweeping);
      stopSharing();
      await Promise.all([crons, deliveries, pushes].map((loop) => loop.stop()));
      await Promise.all([dispatcher.stop(), stopWorker()]);
    },
  };
}

/** The loops of a server that leaves runs to others: there are none. */
export const noLoops: DeploymentLoops = {
  recover: () => Promise.resolve(),
  stop: (stopWorker) => stopWorker(),
};
