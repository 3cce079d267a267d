import { createLoop, createPool, type Loop, RETRY_MS, withPool } from "../loop.ts";
import type { ControlPlane } from "../ports/control.ts";
import type { Platform } from "../ports/ports.ts";
import { buildRevision } from "./build.ts";
import { type StoreEnd, storeEnd } from "./build-end.ts";
import type { AbortReason } from "./build-step.ts";

/**
 * Builds queued revisions, as many at a time as there are slots. It sleeps until it is woken. When it stops, builds
 * under way are requeued. With `inPlace`, it leaves revisions whose files have to be made to other servers.
 */
export function createBuilder(
  platform: Platform,
  control: ControlPlane,
  { slots, inPlace = false }: { slots: number; inPlace?: boolean },
): Loop {
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
      const mayClaim = pool.size < slots && control.lease?.mayClaim() !== false;
      const executor = control.lease?.id();
      const revision = mayClaim ? await control.revisions.claim({ executor, inPlace }) : undefined;
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
