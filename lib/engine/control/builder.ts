import { buildSteps } from "../../protocol/build-steps.ts";
import { buildRevision } from "./build.ts";
import type { AbortReason } from "./build-step.ts";
import { timeOf } from "./build-step.ts";
import type { ControlPlane } from "../ports/control.ts";
import type { Platform } from "../ports/ports.ts";

/** Builds revisions that wait, as many at a time as there are slots. It sleeps until it is woken. */
export interface Builder {
  wake(): void;
  /** Takes no more; what is being built waits for its turn again. Resolves when all of it has stopped. */
  stop(): Promise<void>;
}

/** How often a build that the platform left unfinished is begun again. */
const ATTEMPTS = 3;

export function createBuilder(platform: Platform, control: ControlPlane, slots: number): Builder {
  const underway = new Set<Promise<void>>();
  let ticking: Promise<void> | undefined;
  let again = false;
  let stopping = false;

  const tick = async (): Promise<void> => {
    while (!stopping && underway.size < slots) {
      const revision = await control.revisions.claim(timeOf(platform));
      if (!revision) return;
      const work = buildRevision(platform, control, revision);
      underway.add(work);
      void work.finally(() => {
        underway.delete(work);
        wake();
      });
    }
  };

  const wake = (): void => {
    again = ticking !== undefined;
    if (ticking || stopping) return;
    ticking = tick()
      .catch((error: unknown) => platform.logger.error("builds could not be claimed", error))
      .finally(() => {
        ticking = undefined;
        if (again) wake();
      });
  };

  return {
    wake,
    async stop() {
      stopping = true;
      await ticking;
      for (const { abort } of control.building.values()) abort.abort("stopping" satisfies AbortReason);
      await Promise.all(underway);
    },
  };
}

/** Takes up what a platform that died was building: it waits for its turn again, or has failed too often. */
export async function recoverBuilds(platform: Platform, control: ControlPlane): Promise<void> {
  for (const revision of await control.revisions.inState(buildSteps)) {
    const deployment = await control.deployments.byId(revision.deployment_id);
    const { state, number, token, build_of } = revision;
    const own = build_of === null || build_of === number;
    if (own && deployment) await control.workshop.remove(deployment.name, number);
    if (token < ATTEMPTS) {
      await control.revisions.move(revision, state, "queued", { steps: [], ...(own && { build_of: null }) });
      continue;
    }
    const step = revision.steps.at(-1)?.step ?? "cloning";
    const problem = { step, message: `The platform stopped ${ATTEMPTS} times during this build`, fix: "Deploy again." };
    await control.revisions.move(revision, state, "failed", { problem, ended_at: timeOf(platform) });
  }
}
