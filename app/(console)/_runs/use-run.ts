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
}

/** The newest steps of a run that its page shows. */
const STEPS = 200;
const PARTS = ["checkpoint", "parent_checkpoint", "metadata", "created_at", "tasks"] as const;

/** Reads a run and its steps, again whenever runs begin or end. Undefined until read; null if there is no such run. */
export function useRun(api: RoomApi, deployment: string, run: string) {
  const read = useCallback(() => readRun(api, run), [api, run]);
  const state = useRead<ReadRun | null | undefined>(read, undefined);
  useRefresh(deployment, state.refresh);
  return state;
}

async function readRun(api: RoomApi, id: string): Promise<ReadRun | null> {
  try {
    const run = await api.runs.get(id);
    const history = await stepsOf(api, run);
    return { run, bars: waterfallOf(history, run), checkpoint: checkpointId(history[0]?.checkpoint) };
  } catch (error) {
    if (error instanceof RequestFailure && error.status === 404) return null;
    throw error;
  }
}

/** Reads the run's states, newest first, and the one before them, at which the run began. */
async function stepsOf(api: RoomApi, { thread_id: thread, run_id, kwargs }: Run) {
  // The run has no thread, or one that is deleted at its end.
  if (kwargs.temporary) return [];
  const own = await api.threads.history(thread, { limit: STEPS, metadata: { run_id }, select: PARTS });
  const parent = checkpointId(own.at(-1)?.parent_checkpoint);
  if (parent === undefined || own.length === STEPS) return own;
  return [...own, await api.threads.state(thread, PARTS, parent)];
}

function checkpointId(checkpoint: unknown): string | undefined {
  return isObject(checkpoint) && typeof checkpoint.checkpoint_id === "string" ? checkpoint.checkpoint_id : undefined;
}
