import type { RunCreate } from "../../protocol/runs.ts";
import type { StreamMode } from "../../protocol/stream.ts";
import type { Deployment } from "../ports/ports.ts";

/** The stream modes from which the channels of the thread streaming protocol are made. */
const MODES: readonly StreamMode[] = ["values", "updates", "messages-tuple", "tools", "custom", "tasks"];

/** Options of a run whose events the protocol can stream completely, and replay. */
export const FULL_STREAM = { stream_mode: [...MODES], stream_subgraphs: true, stream_resumable: true };

/**
 * Returns whether a client of the protocol has queued this run. Such clients use the older API for it, behind a run of
 * the protocol, with the thread in the configuration and without stream options.
 */
export async function isQueuedByThreadStream(
  { runs }: Pick<Deployment, "runs">,
  threadId: string,
  { config, stream_mode, stream_resumable, stream_subgraphs }: RunCreate,
): Promise<boolean> {
  const saysNothing = stream_mode.join() === "values" && !stream_resumable && !stream_subgraphs;
  if (!saysNothing || config?.configurable?.thread_id !== threadId) return false;
  const [newest] = await runs.listOf(threadId, { limit: 1, offset: 0 });
  return newest?.kwargs.checkpoint_notes === true;
}
