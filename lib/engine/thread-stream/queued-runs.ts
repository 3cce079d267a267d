import type { RunCreate } from "../../protocol/runs.ts";
import type { StreamMode } from "../../protocol/stream.ts";
import type { Deployment } from "../ports/ports.ts";

/** What the channels of the thread streaming protocol are made of. */
const MODES: readonly StreamMode[] = ["values", "updates", "messages-tuple", "tools", "custom", "tasks"];

/** How a run is asked for that this protocol tells whole, and again to whoever comes later. */
export const FULL_STREAM = { stream_mode: [...MODES], stream_subgraphs: true, stream_resumable: true };

/**
 * Clients of the protocol that leave their queue to the server put runs there by the older API, behind one that the
 * protocol began, with the thread in the configuration and no word of what is to be told.
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
