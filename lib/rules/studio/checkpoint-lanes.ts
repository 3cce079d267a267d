/** The checkpoints of a thread as lanes: a chain for each branch. */
import { isObject } from "../../protocol/json.ts";
import { checkpointIdOf, timeOf } from "../threads/read-state.ts";
import { KeyedList } from "./keyed-list.ts";

/** A checkpoint as a state of a thread's history describes it. */
export interface HistoryCheckpoint {
  readonly id: string;
  /** The id of the checkpoint before it. It may be older than all that are known. */
  readonly parent?: string;
  readonly step?: number;
  /** `input`, `loop`, `update` or `fork`. */
  readonly source?: string;
  readonly next: readonly string[];
  /** ms since the epoch. */
  readonly savedAt?: number;
  /** The id of the run that saved it. */
  readonly run?: string;
  /** True if a task of this checkpoint waits for a person's answer. */
  readonly hasInterrupts: boolean;
}

export interface CheckpointMark extends HistoryCheckpoint {
  readonly lane: number;
  /** Its place in order of time, from 0 for the oldest. A parent stands before its children. */
  readonly index: number;
}

export interface CheckpointLane {
  /** 0 is the lane of the newest checkpoint; others follow by their newest checkpoints, newest first. */
  readonly lane: number;
  /** The marks of the lane by id, oldest first. Each is the parent of the one after it. */
  readonly marks: KeyedList<CheckpointMark>;
  /**
   * The id of the checkpoint from which the lane forks, or the older one that is not known. Absent at a root, and where
   * parents form a circle.
   */
  readonly from?: string;
}

export interface CheckpointLanes {
  /** All marks by id, in order of time, oldest first. */
  readonly marks: KeyedList<CheckpointMark>;
  readonly lanes: readonly CheckpointLane[];
  /** Ids of the children of a checkpoint, oldest first. Checkpoints whose parents are not known have theirs here too. */
  readonly children: KeyedList<readonly string[]>;
}

export const NO_LANES: CheckpointLanes = { marks: KeyedList.empty(), lanes: [], children: KeyedList.empty() };

/**
 * Returns whether the graph no longer has the nodes that came after a checkpoint: nothing comes next, although the
 * thread went on from there.
 */
export function isNextGone({ marks, children }: CheckpointLanes, { id, next }: CheckpointMark): boolean {
  return next.length === 0 && (children.get(id) ?? []).some((child) => marks.get(child)?.source === "loop");
}

/** Reads a state of `POST /threads/{thread_id}/history`; undefined when it has no checkpoint. Total. */
export function readCheckpoint(state: unknown): HistoryCheckpoint | undefined {
  if (!isObject(state)) return undefined;
  const id = checkpointIdOf(state.checkpoint);
  if (id === undefined) return undefined;
  const parent = checkpointIdOf(state.parent_checkpoint);
  const metadata = isObject(state.metadata) ? state.metadata : {};
  const savedAt = timeOf(state.created_at);
  return {
    id,
    ...(parent === undefined ? {} : { parent }),
    ...(typeof metadata.step === "number" ? { step: metadata.step } : {}),
    ...(typeof metadata.source === "string" ? { source: metadata.source } : {}),
    ...(typeof metadata.run_id === "string" ? { run: metadata.run_id } : {}),
    ...(savedAt === undefined ? {} : { savedAt }),
    next: textsOf(state.next),
    hasInterrupts: Array.isArray(state.tasks) && state.tasks.some(hasInterrupts),
  };
}

const hasInterrupts = (task: unknown): boolean =>
  isObject(task) && Array.isArray(task.interrupts) && task.interrupts.length > 0;

const textsOf = (list: unknown): string[] =>
  Array.isArray(list) ? list.filter((one): one is string => typeof one === "string") : [];

/** Adds states of a page of history, older or newer ones, in any order. A state that is known is replaced. */
export function addStates(lanes: CheckpointLanes, states: readonly unknown[]): CheckpointLanes {
  return addCheckpoints(
    lanes,
    states.map(readCheckpoint).filter((one) => one !== undefined),
  );
}

/**
 * Adds checkpoints in any order. One that follows the newest, as those of a running graph do, takes some microseconds.
 * Others order all checkpoints anew.
 */
export function addCheckpoints(lanes: CheckpointLanes, more: readonly HistoryCheckpoint[]): CheckpointLanes {
  let grown = lanes;
  for (const [index, checkpoint] of more.entries()) {
    if (!followsNewest(grown, checkpoint)) return orderedAnew(grown, more.slice(index));
    grown = withNewest(grown, checkpoint);
  }
  return grown;
}

/** Returns whether all other checkpoints keep their places when this one is added. */
function followsNewest({ marks, lanes, children }: CheckpointLanes, { id, parent }: HistoryCheckpoint): boolean {
  const [lane] = lanes;
  const isNew = marks.indexOf(id) === -1 && children.indexOf(id) === -1;
  // Where a circle of parents is cut depends on all checkpoints that lead into it.
  return isNew && lane !== undefined && parent === marks.last?.id && !isCut(lane);
}

const isCut = ({ marks, from }: CheckpointLane): boolean => from === undefined && marks.at(0)?.parent !== undefined;

/** Adds a checkpoint to the end of lane 0, which is the lane of its parent. */
function withNewest({ marks, lanes, children }: CheckpointLanes, checkpoint: HistoryCheckpoint): CheckpointLanes {
  const { id, parent = "" } = checkpoint;
  const mark: CheckpointMark = { ...checkpoint, lane: 0, index: marks.size };
  return {
    marks: marks.with(id, mark),
    lanes: lanes.map((one) => (one.lane === 0 ? { ...one, marks: one.marks.with(id, mark) } : one)),
    children: children.with(parent, [id]),
  };
}

function orderedAnew({ marks }: CheckpointLanes, more: readonly HistoryCheckpoint[]): CheckpointLanes {
  const all = new Map<string, HistoryCheckpoint>();
  for (const checkpoint of [...marks, ...more]) all.set(checkpoint.id, checkpoint);
  const ordered = inOrder(all);
  return { ...placed(ordered), children: KeyedList.from(childrenOf(ordered)) };
}

interface Ordered {
  readonly checkpoint: HistoryCheckpoint;
  /** The checkpoint before it; absent when it is not known, or when it would close a circle. */
  readonly parent: string | undefined;
  /** ms since the epoch, not before its parent's. */
  readonly time: number;
  /** The number of known ancestors. */
  readonly depth: number;
}

function inOrder(all: ReadonlyMap<string, HistoryCheckpoint>): Ordered[] {
  const known = new Map<string, Ordered>();
  for (const id of [...all.keys()].toSorted(compareText)) {
    // The way up to an ancestor that is ordered, then down again. A checkpoint met twice on the way closes a circle.
    const way = new Set<string>();
    let at: HistoryCheckpoint | undefined = all.get(id);
    while (at && !known.has(at.id) && !way.has(at.id)) {
      way.add(at.id);
      at = at.parent === undefined ? undefined : all.get(at.parent);
    }
    for (const each of [...way].toReversed()) {
      const checkpoint = all.get(each);
      if (!checkpoint) continue;
      const parent = checkpoint.parent === undefined ? undefined : known.get(checkpoint.parent);
      known.set(each, {
        checkpoint,
        parent: parent?.checkpoint.id,
        time: Math.max(checkpoint.savedAt ?? -Infinity, parent?.time ?? -Infinity),
        depth: parent ? parent.depth + 1 : 0,
      });
    }
  }
  return [...known.values()].toSorted(compareOrder);
}

function compareOrder(a: Ordered, b: Ordered): number {
  if (a.time !== b.time) return a.time < b.time ? -1 : 1;
  return a.depth - b.depth || compareText(a.checkpoint.id, b.checkpoint.id);
}

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function childrenOf(ordered: readonly Ordered[]): Map<string, string[]> {
  const children = new Map<string, string[]>();
  for (const { checkpoint } of ordered) {
    if (checkpoint.parent === undefined) continue;
    const siblings = children.get(checkpoint.parent);
    if (siblings) siblings.push(checkpoint.id);
    else children.set(checkpoint.parent, [checkpoint.id]);
  }
  return children;
}

/** Gives each checkpoint its lane: that of its newest descendant. */
function placed(ordered: readonly Ordered[]): Pick<CheckpointLanes, "marks" | "lanes"> {
  const places = new Map(ordered.map((one) => [one.checkpoint.id, one]));
  const laneOf = new Map<string, number>();
  const ways: { from?: string; ids: string[] }[] = [];
  for (const { checkpoint } of ordered.toReversed()) {
    if (laneOf.has(checkpoint.id)) continue;
    const ids: string[] = [];
    let at = places.get(checkpoint.id);
    let from: string | undefined;
    while (at && !laneOf.has(at.checkpoint.id)) {
      laneOf.set(at.checkpoint.id, ways.length);
      ids.push(at.checkpoint.id);
      const { parent } = at.checkpoint;
      from = at.parent ?? (parent !== undefined && places.has(parent) ? undefined : parent);
      at = at.parent === undefined ? undefined : places.get(at.parent);
    }
    ways.push({ ...(from === undefined ? {} : { from }), ids: ids.toReversed() });
  }
  const byId = new Map<string, CheckpointMark>();
  for (const [index, { checkpoint }] of ordered.entries()) {
    byId.set(checkpoint.id, { ...checkpoint, lane: laneOf.get(checkpoint.id) ?? 0, index });
  }
  const lanes = ways.map(({ from, ids }, lane): CheckpointLane => {
    const own = ids.flatMap((id) => byId.get(id) ?? []).map((mark) => [mark.id, mark] as const);
    return { lane, marks: KeyedList.from(own), ...(from === undefined ? {} : { from }) };
  });
  return { marks: KeyedList.from(byId), lanes };
}
