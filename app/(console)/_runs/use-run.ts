"use client";

import { useCallback } from "react";
import type { RoomApi } from "#lib/client/rooms.ts";
import type { Run } from "#lib/protocol/runs.ts";
import { RequestFailure } from "#lib/client/refusal.ts";
import { isObject } from "#lib/protocol/json.ts";
import { waterfallOf, type WaterfallBar } from "#lib/rules/runs/waterfall.ts";
import { useRefresh } from "../_rooms/use-refresh.ts";
import { useRead } from "../_ui/use-read.ts";

export interface ReadRun {
  readonly run: Run;
  readonly bars: readonly WaterfallBar[];
  /** The newest checkpoint of the run; undefined for one that has stored none. */
  readonly checkpoint: string | undefined;
  /** Names what the page still shows, although it is no longer stored: the steps of a deleted thread, or all of the run. */
  readonly kept?: "steps" | "run";
}

/** A run as it was read, with the states that its steps come from. */
interface RunReading extends ReadRun {
  readonly history: readonly unknown[];
}

/** The newest steps of a run that its page shows. */
const STEPS = 200;
/** Results of tasks are not shown, and may be large. */
const RESULT_LIMIT = 1000;
const PARTS = ["checkpoint", "parent_checkpoint", "metadata", "created_at", "tasks"] as const;

/**
 * Reads a run and its steps, again whenever runs begin or end. Undefined until read; null if there is no such run. What
 * is deleted while the page is open stays shown.
 */
export function useRun(api: RoomApi, deployment: string, run: string) {
  const read = useCallback(
    (last: RunReading | null | undefined) => readRun(api, run, last?.run.run_id === run ? last : undefined),
    [api, run],
  );
  const state = useRead(read, undefined);
  useRefresh(deployment, state.refresh);
  return state;
}

async function readRun(api: RoomApi, id: string, last: RunReading | undefined): Promise<RunReading | null> {
  const run = await unlessGone(api.runs.get(id));
  if (!run) return last ? { ...last, kept: "run" } : null;
  const isTemporary = run.kwargs.temporary;
  const steps = hasThread(run) ? await unlessGone(stepsOf(api, run)) : undefined;
  // A thread that is deleted while it is read has no checkpoints.
  const history = isTemporary && steps?.length === 0 ? undefined : steps;
  // The thread of a run that is not temporary takes the run with it.
  if (!history && !isTemporary) return last ? { ...last, kept: "run" } : null;
  if (history)
    return { run, history, bars: waterfallOf(history, run), checkpoint: checkpointId(history[0]?.checkpoint) };
  const { history: earlier = [] } = last ?? {};
  const bars = settled(waterfallOf(earlier, run), run);
  return { run, history: earlier, bars, checkpoint: undefined, ...(bars.length > 0 && { kept: "steps" }) };
}

async function unlessGone<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof RequestFailure && error.status === 404) return undefined;
    throw error;
  }
}

/** Returns false for a run without a thread, and for one whose thread was deleted at its end. Of the first kind, no cron is. */
const hasThread = ({ kwargs, trigger, ended_at }: Run): boolean =>
  !kwargs.temporary || (trigger === "cron" && ended_at === null);

/** The steps that were going on when they were read last are done if the run has succeeded. */
function settled(bars: readonly WaterfallBar[], { status }: Run): WaterfallBar[] {
  return bars.map((bar) => (status === "success" && bar.state === "waiting" ? { ...bar, state: "done" } : bar));
}

/** Reads the run's states, newest first, and the one before them, at which the run began. */
async function stepsOf(api: RoomApi, { thread_id: thread, run_id }: Run) {
  const search = { limit: STEPS, metadata: { run_id }, select: PARTS, value_limit: RESULT_LIMIT };
  const own = await api.threads.history(thread, search);
  const parent = checkpointId(own.at(-1)?.parent_checkpoint);
  if (parent === undefined || own.length === STEPS) return own;
  return [...own, await api.threads.state(thread, parent, PARTS, RESULT_LIMIT)];
}

function checkpointId(checkpoint: unknown): string | undefined {
  return isObject(checkpoint) && typeof checkpoint.checkpoint_id === "string" ? checkpoint.checkpoint_id : undefined;
}
