import { Fault } from "../../protocol/faults.ts";
import type { Run, RunCreate, RunFilter, RunSearch } from "../../protocol/runs.ts";
import { encodeCursor } from "../../rules/cursor.ts";
import { ANSWERED, BUSY, multitask } from "../../rules/runs/multitask.ts";
import { selectFields } from "../../rules/search-page.ts";
import { shownRun } from "../../rules/runs/shown.ts";
import { noThread } from "../threads/find-thread.ts";
import type { Deployment, EnqueueOptions, NewRun, Platform, StoredRun, ThreadRunsFilter } from "../ports/ports.ts";
import type { VisibleRuns } from "../ports/run-search.ts";
import { cancelRun } from "./cancel.ts";
import { positionOf } from "../list-position.ts";
import { draftRun, type RunDraft, type RunDraftOptions } from "./draft.ts";

/** Starts a run. Faults: as `draftRun` and `storeRun`. */
export async function startRun(
  platform: Platform,
  deployment: Deployment,
  request: RunCreate,
  { isRead = false, ...options }: RunDraftOptions & Pick<HowToStore, "isRead"> = {},
): Promise<Run> {
  return await storeRun(deployment, await draftRun(platform, deployment, request, options), { isRead });
}

interface HowToStore extends Pick<EnqueueOptions, "firing" | "answers" | "task"> {
  /** The caller follows the run from its first event on. */
  isRead?: boolean;
}

/**
 * Stores a run as pending and wakes the dispatcher; `follow` it from -1 to get all of its events. Faults: `not_found`
 * when its thread has been deleted, `conflict` for a thread that is busy (strategy `reject`), for interrupts that
 * another run has answered, for a task that no longer waits, and for a cron that another server has fired.
 */
export async function storeRun(
  deployment: Deployment,
  { run, thread }: RunDraft,
  { isRead, ...cause }: HowToStore = {},
): Promise<Run> {
  deployment.log.open(run, -1);
  if (isRead) await deployment.log.expectReader(run.run_id);
  try {
    // The dispatcher is woken before the write has ended, so that its claim is committed together with it.
    const stored = thread ? deployment.runs.enqueue(run, { ...thread, ...cause }) : deployment.runs.insert(run);
    deployment.wake(Date.parse(run.created_at));
    requireStored(run, await stored);
    if (deployment.peers.executeAll) deployment.peers.wakeOne();
  } catch (error) {
    deployment.log.drop(run.run_id);
    throw error;
  }
  if (run.threaded) await cancelOthers(deployment, run);
  return shownRun({ ...run, status: "pending", token: 0, started_at: null, ended_at: null, first_token_at: null });
}

function requireStored(run: NewRun, outcome: Awaited<ReturnType<Deployment["runs"]["enqueue"]>> | void): void {
  if (outcome === "missing") throw noThread(run.thread_id);
  if (outcome === "busy") throw new Fault("conflict", BUSY);
  if (outcome === "answered") throw new Fault("conflict", ANSWERED, { reason: "answered" });
  if (outcome === "fired") throw new Fault("conflict", "The cron has fired already, or was changed");
}

/** Cancels older runs if the new run's strategy says so. The last is cancelled first, so that none of them begins. */
async function cancelOthers(deployment: Deployment, run: NewRun): Promise<void> {
  const action = multitask[run.multitask_strategy].cancels;
  if (action === null) return;
  const others = await deployment.runs.inFlight(run.thread_id);
  for (const other of others.toReversed().filter((one) => one.run_id < run.run_id)) {
    await cancelRun(deployment, other.run_id, action);
  }
}

/** Returns a run, which must be of `threadId` if that is given. Faults: `not_found`. */
export async function getRun(deployment: Deployment, runId: string, threadId?: string): Promise<StoredRun> {
  const run = await deployment.runs.get(runId);
  if (!run || (threadId !== undefined && !isOfThread(run, threadId))) throw new Fault("not_found", "Run not found");
  return run;
}

export function isOfThread({ threaded, thread_id }: StoredRun, threadId: string): boolean {
  return threaded && thread_id === threadId;
}

/** Lists the runs of a thread, newest first. */
export async function listRuns(deployment: Deployment, threadId: string, filter: ThreadRunsFilter): Promise<Run[]> {
  return (await deployment.runs.listOf(threadId, filter)).map(shownRun);
}

/**
 * Searches the runs of all threads. `cursor` is given while more follow, also when this page has fewer than `limit`. Faults:
 * `invalid` for a text that is no cursor of this order.
 */
export async function searchRuns(
  deployment: Deployment,
  { cursor, select, ...search }: RunSearch,
  among?: VisibleRuns,
): Promise<{ items: Partial<Run>[]; cursor?: string }> {
  const sort = `created_at ${search.sort_order}`;
  const brief = select && !select.includes("kwargs");
  const query = { ...byAssistantId(deployment, search), after: positionOf(sort, cursor), among, brief };
  const { runs, next } = await deployment.runs.search(query);
  const items = runs.map((run) => selectFields(shownRun(run), select));
  return { items, cursor: next && encodeCursor(sort, next) };
}

export function countRuns(deployment: Deployment, filter: RunFilter, among?: VisibleRuns): Promise<number> {
  return deployment.runs.count(byAssistantId(deployment, filter), among);
}

/** Replaces the name of a graph by the id of its system assistant. */
function byAssistantId<F extends RunFilter>({ systemAssistants }: Deployment, filter: F): F {
  if (filter.assistant_id === undefined) return filter;
  return { ...filter, assistant_id: systemAssistants.get(filter.assistant_id) ?? filter.assistant_id };
}

/** Deletes a run. Faults: `conflict` for a run that has not ended. */
export async function deleteRun(deployment: Deployment, runId: string): Promise<void> {
  if (!(await deployment.runs.delete(runId))) throw new Fault("conflict", "Run is still going on: cancel it first");
}
