import { Fault } from "../protocol/faults.ts";
import { ThreadSearch } from "../protocol/threads.ts";
import type { Visibility } from "../rules/visibility.ts";
import { getAssistant, isSystem } from "./assistants.ts";
import { cancelRun } from "./runs/cancel.ts";
import { untilEnded } from "./follow.ts";
import type { Deployment } from "./ports/ports.ts";
import { pruneThreads } from "./threads/threads.ts";

/**
 * Deletes an assistant with its versions and runs, with `threads` also the `visible` threads whose `metadata.assistant_id` it is;
 * returns its id. What it still runs is stopped first, and it goes last: a deletion that was cut short can be repeated.
 * Faults: `not_found`; `invalid` for the assistant of a graph, which every call by the graph's name needs.
 */
export async function deleteAssistant(
  deployment: Deployment,
  idOrGraph: string,
  { threads, visible }: { threads: boolean; visible?: Visibility },
): Promise<string> {
  const { assistant_id: id } = await getAssistant(deployment, idOrGraph);
  if (isSystem(deployment, id)) throw new Fault("invalid", "A system assistant cannot be deleted");
  await stopRuns(deployment, id);
  if (threads) await deleteThreads(deployment, id, visible);
  if (!(await deployment.assistants.delete(id))) throw new Fault("not_found", "Assistant not found");
  deployment.taskFeeds.deleted({ assistant_id: id });
  return id;
}

/** Resolves when everything that was under way has ended: a follower of such a run hears its end. */
async function stopRuns(deployment: Deployment, assistantId: string): Promise<void> {
  const active = await deployment.runs.list(["pending", "running"]);
  const own = active.filter((run) => run.assistant_id === assistantId);
  await Promise.all(
    own.map(async (run) => {
      await cancelRun(deployment, run.run_id);
      await untilEnded(deployment, run);
    }),
  );
}

async function deleteThreads(
  deployment: Deployment,
  assistantId: string,
  visible: Visibility | undefined,
): Promise<void> {
  const search = ThreadSearch.parse({ metadata: { assistant_id: assistantId }, limit: 100 });
  for (;;) {
    const { threads } = await deployment.threads.search(search, visible);
    if (threads.length === 0) return;
    const ids = threads.map((thread) => thread.thread_id);
    await pruneThreads(deployment, ids, "delete");
  }
}
