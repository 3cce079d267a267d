import type { Cron, CronCreate, CronFilter, CronPatch, CronSearch } from "../protocol/crons.ts";
import { Fault, isFault } from "../protocol/faults.ts";
import { RunCreate } from "../protocol/runs.ts";
import { nextRunOf, scheduleProblem } from "../rules/cron.ts";
import { findAssistant } from "./assistants.ts";
import { createLoop, type Loop } from "./loop.ts";
import type { Calendar, Firing } from "./cron-ports.ts";
import type { Deployment, Platform } from "./ports.ts";
import { requireGraph, startRun } from "./runs.ts";
import { getThread } from "./threads.ts";
import { requireWebhook } from "./webhooks.ts";

/** On a thread when one is given. Faults: `not_found` for an unknown assistant or thread, `invalid` for a bad schedule. */
export async function createCron(
  platform: Platform,
  deployment: Deployment,
  request: CronCreate,
  threadId?: string,
): Promise<Cron> {
  const assistant = await findAssistant(platform, deployment, request.assistant_id);
  if (threadId !== undefined) requireGraph(await getThread(deployment, threadId), assistant);
  requireSchedule(platform.calendar, request.schedule);
  requireWebhook(deployment, request.payload.webhook);
  const at = new Date(platform.clock.now()).toISOString();
  const cron = timed(platform, {
    cron_id: platform.newId(),
    assistant_id: assistant.assistant_id,
    thread_id: threadId ?? null,
    schedule: request.schedule,
    timezone: request.timezone ?? null,
    end_time: request.end_time ?? null,
    enabled: request.enabled ?? true,
    ...(threadId === undefined && { on_run_completed: request.on_run_completed ?? "delete" }),
    payload: request.payload,
    metadata: request.metadata ?? {},
    user_id: null,
    next_run_date: null,
    created_at: at,
    updated_at: at,
  });
  await deployment.crons.insert(cron);
  wake(deployment, cron);
  return cron;
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

/** With the time at which it fires next, seen from now. */
function timed({ clock, calendar }: Pick<Platform, "clock" | "calendar">, cron: Cron): Cron {
  const next = nextRunOf(cron, clock.now(), calendar.next);
  return { ...cron, next_run_date: next === undefined ? null : new Date(next).toISOString() };
}

function wake(deployment: Deployment, { next_run_date }: Cron): void {
  if (next_run_date !== null) deployment.cronDue(Date.parse(next_run_date));
}

/**
 * Changes what is named; `metadata` goes over what is there, and so do the fields of its runs.
 * Faults: `not_found` for an unknown cron or assistant, `invalid` for a bad schedule.
 */
export async function updateCron(
  platform: Platform,
  deployment: Deployment,
  cronId: string,
  patch: CronPatch,
): Promise<Cron> {
  const { assistant_id, metadata, payload, on_run_completed, ...timing } = patch;
  if (patch.schedule !== undefined) requireSchedule(platform.calendar, patch.schedule);
  requireWebhook(deployment, payload.webhook);
  const assistant = assistant_id === undefined ? undefined : await findAssistant(platform, deployment, assistant_id);
  const updated = await deployment.crons.update(cronId, (cron) => {
    const changed: Cron = {
      ...cron,
      ...timing,
      ...(assistant && { assistant_id: assistant.assistant_id }),
      ...(cron.thread_id === null && on_run_completed && { on_run_completed }),
      metadata: { ...cron.metadata, ...metadata },
      payload: { ...cron.payload, ...payload },
      updated_at: new Date(platform.clock.now()).toISOString(),
    };
    // A firing that is due stays due when nothing about its times changes.
    return Object.keys(timing).length > 0 ? timed(platform, changed) : changed;
  });
  if (!updated) throw notFound();
  wake(deployment, updated);
  return updated;
}

/** What its last firing started goes on. Faults: `not_found`. */
export async function deleteCron(deployment: Deployment, cronId: string): Promise<void> {
  if (!(await deployment.crons.delete(cronId))) throw notFound();
}

function notFound(): Fault {
  return new Fault("not_found", "Cron not found");
}

export interface CronPage {
  crons: Partial<Cron>[];
  total: number;
  /** Offset of the next page, when there is one. */
  next?: number;
}

export async function searchCrons(deployment: Deployment, search: CronSearch): Promise<CronPage> {
  const { crons, total } = await deployment.crons.search(byId(deployment, search));
  const end = search.offset + crons.length;
  const wanted = search.select && new Set<string>(search.select);
  const shown = wanted
    ? crons.map((cron) => Object.fromEntries(Object.entries(cron).filter(([field]) => wanted.has(field))))
    : crons;
  return { crons: shown, total, next: end < total ? end : undefined };
}

export function countCrons(deployment: Deployment, filter: CronFilter): Promise<number> {
  return deployment.crons.count(byId(deployment, filter));
}

/** A graph's name stands for the graph's own assistant. */
function byId<F extends CronFilter>({ systemAssistants }: Deployment, filter: F): F {
  if (filter.assistant_id === undefined) return filter;
  return { ...filter, assistant_id: systemAssistants.get(filter.assistant_id) ?? filter.assistant_id };
}

/** Fires crons when their time has come; what fell due while no server ran is made up for once. */
export function createCronLoop(platform: Platform, deployment: Deployment): Loop {
  return createLoop(
    platform.clock,
    async () => {
      for (;;) {
        const due = await deployment.crons.due(platform.clock.now());
        if (due.length === 0) return await deployment.crons.nextDue();
        const failed: unknown[] = [];
        for (const cron of due) await fire(platform, deployment, cron).catch((error: unknown) => failed.push(error));
        if (failed.length > 0) throw failed[0];
      }
    },
    (error) => platform.logger.error("crons could not be fired", error),
  );
}

async function fire(platform: Platform, deployment: Deployment, cron: Cron): Promise<void> {
  const { cron_id, thread_id } = cron;
  const firing: Firing = {
    cron_id,
    due: Date.parse(cron.next_run_date ?? ""),
    next: nextRunOf(cron, platform.clock.now(), platform.calendar.next),
  };
  try {
    const request = requestOf(cron);
    await startRun(
      platform,
      deployment,
      { ...request, ...(thread_id === null && { if_not_exists: "create" as const }) },
      {
        threadId: thread_id ?? platform.newId(),
        metadata: { cron_id },
        firing,
        discard: cron.on_run_completed === "delete",
      },
    );
  } catch (error) {
    if (!isFault(error)) throw error;
    // Its assistant is gone, say, or the thread has another graph's state by now.
    if (await deployment.crons.skip(firing)) platform.logger.warn(`cron ${cron_id} started no run: ${error.message}`);
  }
}

/** Faults: `invalid` for what an older version let pass. */
function requestOf({ assistant_id, metadata, payload }: Cron): RunCreate {
  const parsed = RunCreate.safeParse({ ...payload, assistant_id, metadata });
  if (parsed.success) return parsed.data;
  throw new Fault("invalid", parsed.error.message, { cause: parsed.error });
}
