/** The time without a message after which a worker is idle. */
const REST_MS = 3_000;

/** V8's `gc`. In this form it frees all memory that it can: 40 % of what a freshly loaded graph holds. */
type Collect = (options: { type: "major"; flavor: "last-resort"; execution: "sync" }) => void;

/**
 * Returns memory to the system, once, when this process has been idle for a while. `touch` reports activity. `isBusy`
 * returns whether work is still in progress.
 */
export function collectAtRest(isBusy: () => boolean): { touch(): void } {
  // The function exists if Node was started with `--expose-gc`.
  const collect = (globalThis as { gc?: Collect }).gc;
  if (!collect) return { touch: () => undefined };
  const timer = setTimeout(() => {
    if (isBusy()) timer.refresh();
    else collect({ type: "major", flavor: "last-resort", execution: "sync" });
  }, REST_MS).unref();
  return { touch: () => void timer.refresh() };
}
