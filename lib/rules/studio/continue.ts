import type { StatusCounts, StudioNode, StudioRun } from "./run.ts";
import { summaryStatus } from "./run.ts";
import { edgeKey } from "../graphs/edge-key.ts";
import { LOST, settleAll } from "./tasks.ts";

/** Prepares the log of a run for the events of the next run on its thread, such as the one that answers its questions. */
export function continueStudioRun(before: StudioRun, id?: string): StudioRun {
  const { id: _id, attempt: _attempt, error: _error, ...rest } = settleAll(before, LOST);
  // Ids of events begin again with each run.
  let { tasks, moves, nodes } = rest;
  for (const task of tasks) {
    const isOpen = task.status === "waiting" || task.status === "interrupted";
    if (isOpen) tasks = tasks.with(task.id, { ...task, toldAt: -1 });
  }
  for (const move of moves) moves = moves.with(edgeKey(move.source, move.target), { ...move, toldAt: -1 });
  for (const node of nodes) nodes = nodes.with(node.node, withoutFailures(node));
  // An interrupt whose task is not known could not be told to be answered.
  const interrupts = rest.interrupts.filter((one) => one.task !== undefined);
  const named = id === undefined ? {} : { id };
  return {
    ...rest,
    ...named,
    interrupts,
    tasks,
    moves,
    nodes,
    status: "pending",
    seen: -1,
    gapAt: -1,
    tellsTasks: false,
  };
}

/** A node no longer shows that it failed or was stopped in an earlier run. */
function withoutFailures(node: StudioNode): StudioNode {
  const { failed: _failed, cancelled: _cancelled, unknown: _unknown, ...kept } = node.counts;
  const counts: StatusCounts = kept;
  return Object.keys(kept).length === Object.keys(node.counts).length
    ? node
    : { ...node, counts, status: summaryStatus(counts) };
}
