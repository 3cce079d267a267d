import { Fault } from "../../protocol/faults.ts";
import { isVisible, type Visibility } from "../../rules/visibility.ts";
import type { Deployment } from "../ports/ports.ts";
import type { StoredThread } from "../ports/threads.ts";

/** Returns a thread. Faults: `not_found`, also for what is not visible. */
export async function getThread(deployment: Deployment, threadId: string, visible?: Visibility): Promise<StoredThread> {
  const thread = await deployment.threads.get(threadId);
  if (!thread || !isVisible(visible, thread.metadata)) throw noThread(threadId);
  return thread;
}

/** Returns whether the caller may see a thread. A thread that does not exist counts as visible. */
export async function isThreadVisible(
  deployment: Deployment,
  threadId: string,
  visible: Visibility | undefined,
): Promise<boolean> {
  const thread = visible && (await deployment.threads.get(threadId));
  return !thread || isVisible(visible, thread.metadata);
}

export function noThread(threadId: string): Fault {
  return new Fault("not_found", `Thread with ID ${threadId} not found`, { reason: "no_thread" });
}
