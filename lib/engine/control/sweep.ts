import { expiryLimits } from "../../rules/http/session.ts";
import type { ControlPlane } from "../ports/control.ts";
import type { Platform } from "../ports/ports.ts";

const DAY_MS = 86_400_000;
/** The time for which lines of build logs and server logs are kept. */
const LINES_DAYS = 30;
/** The highest number of lines of one log, so that a deployment that prints without end is bounded as well. */
const MOST_LINES = 200_000;

/**
 * Removes what is out of date: sessions, log lines, fetched sources, packages, uploads. It is called when the platform
 * starts and at intervals. Never rejects.
 */
export async function sweepControlPlane(
  { clock, logger }: Platform,
  { deployments, revisions, lines, buildTools, sessions }: ControlPlane,
): Promise<void> {
  try {
    await sessions.sweep(expiryLimits(clock.now()));
    const waiting = await revisions.inState(["queued"]);
    const sources = [...(await deployments.list()), ...waiting].map((one) => one.source);
    await buildTools.sweep(new Set(sources.flatMap((one) => (one.type === "upload" ? one.upload_id : []))));
    await lines.sweep({ writtenBefore: clock.now() - LINES_DAYS * DAY_MS, most: MOST_LINES });
  } catch (error) {
    logger.error("outdated files and rows could not be removed", error);
  }
}
