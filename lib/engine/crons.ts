import type { Cron, CronCreate, CronFilter, CronPatch, CronSearch } from "../protocol/crons.ts";
import { Fault, isFault, isAppRefusal } from "../protocol/faults.ts";
import { type Run, RunCreate } from "../protocol/runs.ts";
import { nextRunOf, scheduleProblem } from "../rules/runs/cron.ts";
import { type SearchPage, searchPage, selectFields } from "../rules/search-page.ts";
import { isVisible, type Visibility } from "../rules/visibility.ts";
import { type Access, accessAs } from "./access.ts";
import { findAssistant } from "./assistants.ts";
import { createLoop, type Loop } from "./loop.ts";
import type { Calendar, Firing, StoredCron } from "./ports/crons.ts";
import type { Deployment, Platform } from "./ports/ports.ts";
import { draftRun, requireGraph, type RunDraft } from "./runs/draft.ts";
import { storeRun } from "./runs/runs.ts";
import { getThread } from "./threads/find-thread.ts";
import { requireWebhook } from "./webhooks.ts";
import { isoTime } from "../protocol/iso-time.ts";

export interface CronOptions {
  /** A new id when left out. */
  cronId?: string;
  /** The thread of all runs; every firing makes one when left out. */
  threadId?: string;
  /** The user who creates the cron, and for whom its runs are started. */
  user?: Access["user"];
}

/** Creates a cron. Faults: `not_found` for an unknown assistant or thread, `invalid` for a bad schedule. */
export async function createCron(
  platform: Platform,
  deployment: Deployment,
  request: CronCreate,
  { cronId, threadId, user }: CronOptions = {},
): Promise<Cron> {
  const assistant = await findAssistant(platform, deployment, request.assistant_id);
  if (threadId !== undefined) requireGraph(await getThread(deployment, threadId), assistant);
  requireSchedule(platform.calendar, request.schedule);
  requireWebhook(deployment, request.payload.webhook);
  const at = isoTime(platform.clock.now());
  const cron = withNextRun(platform, {
    cron_id: cronId ?? platform.newId(),
    assistant_id: assistant.assistant_id,
    thread_id: threadId ?? null,
    schedule: request.schedule,
    timezone: request.timezone ?? null,
    end_time: request.end_time ?? null,
    enabled: request.enabled ?? true,
    ...(threadId === undefined && { on_run_completed: request.on_run_completed ?? "delete" }),
    payload: request.payload,
    metadata: request.metadata ?? {},
    user_id: user?.identity ?? null,
    ...(user && { user }),
    next_run_date: null,
    created_at: at,
    updated_at: at,
  });
  await deployment.crons.insert(cron);
  wake(deployment, cron);
  return shownCron(cron);
}

function requireSchedule(calendar: Calendar, schedule: string): void {
  const problem =
    scheduleProblem(schedule) ??
    calendar.problem(schedule) ??
    (calendar.next(schedule, "UTC", 0) === undefined ? "no such day ever comes" : undefined);
  if (problem === undefined) return;
  throw new Fault("invalid", `Invalid body: schedule: ${problem}`, {
    issues: [{ path: "schedule", message: problem }],
  });
}

/** Sets the time at which the cron fires next. */
function withNextRun({ clock, calendar }: Pick<Platform, "clock" | "calendar">, cron: StoredCron): StoredCron {
  const next = nextRunOf(cron, clock.now(), calendar.next);
  return { ...cron, next_run_date: next === undefined ? null : isoTime(next) };
}

function wake(deployment: Deployment, { next_run_date }: Cron): void {
  if (next_run_date !== null) deployment.cronDue(Date.parse(next_run_date));
}

/** Returns what callers see of a stored cron. */
function shownCron({ user: _user, ...cron }: StoredCron): Cron {
  return cron;
}

/**
 * Changes the given fields; `metadata` and the fields of the runs are merged. Faults: `not_found` for an unknown
 * assistant, or a cron that is unknown or not visible, `invalid` for a bad schedule.
 */
export async function updateCron(
  platform: Platform,
  deployment: Deployment,
  cronId: string,
  patch: CronPatch,
  visible?: Visibility,
): Promise<Cron> {
  const { assistant_id, metadata, payload, on_run_completed, ...timing } = patch;
  if (patch.schedule !== undefined) requireSchedule(platform.calendar, patch.schedule);
  requireWebhook(deployment, payload.webhook);
  const assistant = assistant_id === undefined ? undefined : await findAssistant(platform, deployment, assistant_id);
  const updated = await deployment.crons.update(cronId, (cron) => {
    if (!isVisible(visible, cron.metadata)) throw notFound();
    const changed: StoredCron = {
      ...cron,
      ...timing,
      ...(assistant && { assistant_id: assistant.assistant_id }),
      ...(cron.thread_id === null && on_run_completed && { on_run_completed }),
      metadata: { ...cron.metadata, ...metadata },
      payload: { ...cron.payload, ...payload },
      updated_at: isoTime(platform.clock.now()),
    };
    // A firing that is due stays due unless the schedule changes.
    return Object.keys(timing).length > 0 ? withNextRun(platform, changed) : changed;
  });
  if (!updated) throw notFound();
  wake(deployment, updated);
  return shownCron(updated);
}

/**
 * Starts a run now as the cron would when it fires, also while it is paused; its schedule stays. The run's arguments tell who
 * its creator is, so no other user gets them. Faults: as `draftRun` and `storeRun`, `not_found` for a cron that is unknown or
 * not visible, `forbidden` when the application refuses the run.
 */
export async function runCron(
  platform: Platform,
  deployment: Deployment,
  cronId: string,
  caller?: { user?: Access["user"]; visible?: Visibility },
): Promise<Partial<Run>> {
  const { user, visible } = caller ?? {};
  const cron = await deployment.crons.get(cronId);
  if (!cron || !isVisible(visible, cron.metadata)) throw notFound();
  const { kwargs, ...run } = await storeRun(deployment, await draftCronRun(platform, deployment, cron));
  return user && user.identity !== cron.user_id ? run : { ...run, kwargs };
}

/** Deletes a cron. Runs that it has started go on. Faults: `not_found`, also for what is not visible. */
export async function deleteCron(deployment: Deployment, cronId: string, visible?: Visibility): Promise<void> {
  if (!(await deployment.crons.delete(cronId, visible))) throw notFound();
}

function notFound(): Fault {
  return new Fault("not_found", "Cron not found");
}

export async function searchCrons(
  deployment: Deployment,
  search: CronSearch,
  visible?: Visibility,
): Promise<SearchPage<Partial<Cron>>> {
  const { crons, total } = await deployment.crons.search(byId(deployment, search), visible);
  const selected = crons.map((cron) => selectFields(shownCron(cron), search.select));
  return searchPage(selected, total, search.offset);
}

export function countCrons(deployment: Deployment, filter: CronFilter, visible?: Visibility): Promise<number> {
  return deployment.crons.count(byId(deployment, filter), visible);
}

/** Replaces the name of a graph by the id of its system assistant. */
function byId<F extends CronFilter>({ systemAssistants }: Deployment, filter: F): F {
  if (filter.assistant_id === undefined) return filter;
  return { ...filter, assistant_id: systemAssistants.get(filter.assistant_id) ?? filter.assistant_id };
}

/** Fires crons when they are due. Firings that were missed while no server ran are replaced by one. */
export function createCronLoop(platform: Platform, deployment: Deployment): Loop {
  return createLoop(
    platform.clock,
    async () => {
      for (;;) {
        const now = platform.clock.now();
        const due = await deployment.crons.due(now);
        const failed: unknown[] = [];
        let waiting = false;
        for (const cron of due) {
          try {
            if ((await fire(platform, deployment, cron)) === "waits") waiting = true;
          } catch (error) {
            failed.push(error);
          }
        }
        if (failed.length > 0) throw failed[0];
        // Crons that wait are still due. The worker wakes the loop when it is back.
        if (due.length === 0 || waiting) return await deployment.crons.nextDue(now);
      }
    },
    (error) => platform.logger.error("crons could not be fired", error),
  );
}

/** Fires a cron. `waits`: the worker is down, which has to authorize the run. */
async function fire(platform: Platform, deployment: Deployment, cron: StoredCron): Promise<"done" | "waits"> {
  const { cron_id } = cron;
  const firing: Firing = {
    cron_id,
    due: Date.parse(cron.next_run_date ?? ""),
    next: nextRunOf(cron, platform.clock.now(), platform.calendar.next),
  };
  try {
    await storeRun(deployment, await draftCronRun(platform, deployment, cron), { firing });
  } catch (error) {
    if (!isFault(error)) throw error;
    if (error.code === "unavailable") {
      platform.logger.warn(`cron ${cron_id} waits: ${error.message}`);
      return "waits";
    }
    // For example, the assistant was deleted, or the thread holds the state of another graph.
    if (await deployment.crons.skip(firing)) platform.logger.warn(`cron ${cron_id} started no run: ${error.message}`);
  }
  return "done";
}

/** Makes a run of a cron for the user who created it. Faults: as `draftRun`, `forbidden` when the application refuses it. */
function draftCronRun(platform: Platform, deployment: Deployment, cron: StoredCron): Promise<RunDraft> {
  const { cron_id, thread_id } = cron;
  const request = requestOf(cron);
  return draftRun(
    platform,
    deployment,
    { ...request, ...(thread_id === null && { if_not_exists: "create" as const }) },
    {
      threadId: thread_id ?? platform.newId(),
      metadata: { cron_id },
      threadMetadata: { cron_id },
      trigger: "cron",
      discard: cron.on_run_completed === "delete",
      access: cron.user && accessOfCreator(deployment, cron.user),
    },
  );
}

/** Turns every refusal by the application into a `forbidden` fault, because no caller waits for the answer. */
function accessOfCreator(deployment: Deployment, user: NonNullable<Access["user"]>): Access {
  const access = accessAs(deployment, user);
  return {
    user,
    permit: (event, value) =>
      access.permit(event, value).catch((error: unknown) => {
        if (isFault(error)) throw error;
        const message = isAppRefusal(error) ? error.message : "the application's authorization failed";
        throw new Fault("forbidden", message, { cause: error });
      }),
  };
}

/** Faults: `invalid` for a payload that an older version accepted. */
function requestOf({ assistant_id, metadata, payload }: Cron): RunCreate {
  const parsed = RunCreate.safeParse({ ...payload, assistant_id, metadata });
  if (parsed.success) return parsed.data;
  throw new Fault("invalid", parsed.error.message, { cause: parsed.error });
}
