import { createLoop, createPool, type Loop, RETRY_MS, withPool } from "../loop.ts";
import type { ControlPlane } from "../ports/control.ts";
import type { Platform } from "../ports/ports.ts";
import { buildRevision } from "./build.ts";
import { type StoreEnd, storeEnd } from "./build-end.ts";
import type { AbortReason } from "./build-step.ts";

/**
 * Builds queued revisions, as many at a time as there are slots. It sleeps until it is woken. When it stops, builds
 * under way are requeued.
 */
export function createBuilder(platform: Platform, control: ControlPlane, slots: number): Loop {
  const { clock, logger } = platform;
  /** Ends of builds that could not be stored. */
  const unstored = new Set<StoreEnd>();
  const pool = createPool<string>(
    () => loop.wake(),
    (error) => logger.error("a build could not be completed", error),
  );
  const build = async (revision: Parameters<typeof buildRevision>[2]): Promise<void> => {
    const store = await buildRevision(platform, control, revision);
    if (store) unstored.add(store);
  };
  const loop = createLoop(
    clock,
    async () => {
      for (const store of unstored) if (!(await storeEnd(platform, store))) unstored.delete(store);
      const revision = pool.size < slots ? await control.revisions.claim() : undefined;
      if (revision) {
        pool.begin(revision.deployment_id, build(revision));
        // There may be more.
        loop.wake();
      }
      return unstored.size > 0 ? clock.now() + RETRY_MS : undefined;
    },
    (error) => logger.error("builds could not be claimed", error),
  );
  return withPool(loop, pool, () => {
    for (const { abort } of control.building.values()) abort.abort("stopping" satisfies AbortReason);
  });
}
