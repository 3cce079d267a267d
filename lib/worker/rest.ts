import { flushCompileCache } from "node:module";

/** The time without a message after which a worker is idle. */
const REST_MS = 3_000;

/** V8's `gc`. In this form it frees all memory that it can: 40 % of what a freshly loaded graph holds. */
type Collect = (options: { type: "major"; flavor: "last-resort"; execution: "sync" }) => void;

/**
 * Does the work that would delay messages, once, when this process has been idle for a while: writes Node's compile cache,
 * some 700 files, and returns memory to the system. `touch` reports activity. `isBusy` returns whether work is still in
 * progress.
 */
export function cleanUpAtRest(isBusy: () => boolean): { touch(): void } {
  // The function exists if Node was started with `--expose-gc`.
  const collect = (globalThis as { gc?: Collect }).gc;
  const timer = setTimeout(() => {
    if (isBusy()) {
      timer.refresh();
      return;
    }
    flushCompileCache();
    collect?.({ type: "major", flavor: "last-resort", execution: "sync" });
  }, REST_MS).unref();
  return { touch: () => void timer.refresh() };
}
