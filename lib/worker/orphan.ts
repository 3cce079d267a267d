/**
 * A graph that loops for ever keeps this process from seeing that its channel is closed. So while something runs, a
 * thread looks whether the host is still the parent, and ends the process when it is not.
 */
import { Worker } from "node:worker_threads";

const LOOK_EVERY_MS = 1_000;
/** The thread costs 10 MB while it lives, and 2 ms to start. */
const IDLE_MS = 30_000;

const WATCH = `
const { workerData: { host, every } } = require("node:worker_threads");
setInterval(() => process.ppid === host || process.kill(process.pid, "SIGKILL"), every);
`;

export function watchHost(): { begin(): void; pause(): void } {
  const host = process.ppid;
  let thread: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  return {
    begin() {
      clearTimeout(idle);
      thread ??= startThread(host);
    },
    pause() {
      clearTimeout(idle);
      idle = setTimeout(() => {
        void thread?.terminate();
        thread = undefined;
      }, IDLE_MS);
      idle.unref();
    },
  };
}

function startThread(host: number): Worker {
  const thread = new Worker(WATCH, {
    eval: true,
    execArgv: [],
    workerData: { host, every: LOOK_EVERY_MS },
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1 },
  });
  thread.unref();
  return thread;
}
