/** Without a message for this long a worker is at rest. */
const REST_MS = 3_000;

/** Asks the engine for all memory that it can do without; 40 % of what a graph that was just loaded holds. */
type Collect = (options: { type: "major"; flavor: "last-resort"; execution: "sync" }) => void;

/**
 * Gives memory back to the system, once, when nothing has been asked of this process for a while. `touch` says that
 * something was. `isBusy` says whether something still goes on.
 */
export function createRest(isBusy: () => boolean): { touch(): void } {
  // There when it was started with `--expose-gc`.
  const collect = (globalThis as { gc?: Collect }).gc;
  if (!collect) return { touch: () => undefined };
  const timer = setTimeout(() => {
    if (isBusy()) timer.refresh();
    else collect({ type: "major", flavor: "last-resort", execution: "sync" });
  }, REST_MS).unref();
  return { touch: () => void timer.refresh() };
}
