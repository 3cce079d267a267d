/** A run as the Studio knows it. Every part is immutable, and a part that did not change keeps its identity. */
import type { TurnMessage } from "../threads/transcript.ts";
import { KeyedList } from "./keyed-list.ts";
import type { StateDifference } from "./state-difference.ts";

/**
 * `waiting`: told as next, not started. `cancelled`: stopped with its run. `unknown`: it was started and no longer runs,
 * or may no longer run, and how it ended was not told.
 */
export type TaskStatus = "waiting" | "running" | "done" | "failed" | "interrupted" | "cancelled" | "unknown";

/** `interrupted` is the API's word for a cancelled run. One that asks a person ends as `success`: see `waitsFor`. */
export type RunStatus = "pending" | "running" | "success" | "error" | "interrupted" | "timeout" | "unknown";

export interface StudioInterrupt {
  readonly id: string;
  readonly value: unknown;
  /** The id of the task that raised it, if that was told. */
  readonly task?: string;
  /** The node of that task, as `StudioTask.node`. */
  readonly node?: string;
}

export interface StudioError {
  /** Class name of the error, if it was told. */
  readonly name?: string;
  readonly message: string;
  /** The first line of its stack that is the application's own, if there is a stack. */
  readonly place?: string;
}

export interface StudioTask {
  readonly id: string;
  /** The name of its node within its graph. */
  readonly name: string;
  /** Names of the nodes from the outermost to its own: `["child", "inner"]`. */
  readonly path: readonly string[];
  /** The path joined by `:`, the name of the node in a drawing with subgraphs. It is the key in `StudioRun.nodes`. */
  readonly node: string;
  /** The namespace of the graph in which it runs: "" for the run's own, else `child:<task id>|inner:<task id>`. */
  readonly namespace: string;
  /** The key of its step in `StudioRun.steps`. */
  readonly stepKey: string;
  /** The number of the step, if it was told. */
  readonly step?: number;
  readonly status: TaskStatus;
  /** ms since the epoch by the worker's clock; absent when no timestamp was told. */
  readonly startedAt?: number;
  readonly endedAt?: number;
  readonly input?: unknown;
  /** Set when the input was large and was dropped, because many larger ones came after it. */
  readonly isInputLeftOut?: true;
  /** The writes of the task, by key of the state. */
  readonly result?: unknown;
  readonly error?: StudioError;
  readonly interrupts: readonly StudioInterrupt[];
  /** How often runs started it, as far as events tell; 0 while it waits. Going on after a question is no other start. */
  readonly attempt: number;
  /** The errors after which it was tried again by the retry policy of its node; absent for none. */
  readonly retried?: readonly string[];
  /** Set when the result comes from a cache or an earlier run, and the node was not executed again. */
  readonly isCached: boolean;
  /** The id of the newest event about it. */
  readonly toldAt: number;
}

export type StatusCounts = Readonly<Partial<Record<TaskStatus, number>>>;

export interface StudioNode {
  /** The path joined by `:`. */
  readonly node: string;
  readonly path: readonly string[];
  /** The number of its tasks by status. */
  readonly counts: StatusCounts;
  /** The most urgent status among its tasks: see `summaryStatus`. */
  readonly status: TaskStatus;
  /** How many of its tasks were started. */
  readonly runs: number;
  /** ms from start to end of the task that ended last, if both were told. */
  readonly lastDuration?: number;
  /** The id of its newest task. */
  readonly lastTask: string;
}

/** A message of a step. `state` is set once the whole message was told, and not only pieces of it. */
export interface StudioMessage extends TurnMessage {
  /** The id of the task that wrote it, if it is known. */
  readonly task?: string;
  readonly node?: string;
  /** How many characters of the text were cut off, because it grew beyond a million. */
  readonly leftOut?: number;
}

/** The events of a kind that may be any number: the first and the last of them. */
export interface BoundedEvents {
  readonly first: readonly StudioCustomEvent[];
  readonly last: readonly StudioCustomEvent[];
  /** The number of events between the first and the last. */
  readonly leftOut: number;
}

export interface StudioCustomEvent {
  /** The id of the event within the run. */
  readonly id: number;
  readonly data: unknown;
}

/** One step of one graph: an entry of the run log. */
export interface StudioStep {
  readonly key: string;
  /** The namespace of its graph; "" for the run's own. */
  readonly namespace: string;
  /** The path of the graph; empty for the run's own. */
  readonly path: readonly string[];
  /** The number of the step; -1 is the input of a new thread. Absent when it was not told. */
  readonly step?: number;
  /** The source of its checkpoint: `input`, `loop`, `update` or `fork`. */
  readonly source?: string;
  /** The ids of its tasks, in order. */
  readonly tasks: readonly string[];
  /** Set when nodes ran that cannot be named, because the graph no longer has them. */
  readonly isGone?: true;
  /** The id of the checkpoint after the step. */
  readonly checkpoint?: string;
  readonly parentCheckpoint?: string;
  /** ms since the epoch of the checkpoint. */
  readonly savedAt?: number;
  /** The change of the graph's state; absent when the state before or after it is unknown. */
  readonly difference?: StateDifference;
  readonly messages: KeyedList<StudioMessage>;
  /** The number of messages that were left out, because the step had a thousand. */
  readonly messagesLeftOut: number;
  readonly custom: BoundedEvents;
}

/** A step of the run from one node to another, by names of a drawing. */
export interface StudioMove {
  readonly source: string;
  readonly target: string;
  readonly count: number;
  /** The id of the newest event that told of it. */
  readonly toldAt: number;
}

/** The graph of a namespace while it is under way, as far as it is known. */
export interface StudioGraph {
  readonly namespace: string;
  readonly path: readonly string[];
  /** The number of the step under way or told as next, if it was told. */
  readonly step?: number;
  /** The key of that step. */
  readonly stepKey?: string;
  /** How often runs went on from another checkpoint than the newest; absent for never. */
  readonly branch?: number;
  /** How many of its steps had no number. */
  readonly unnumbered: number;
  /** The newest state. It is dropped when the task around the graph has ended. */
  readonly values?: unknown;
  readonly checkpoint?: string;
  /** Names of the nodes that the newest checkpoint told as next. */
  readonly next: readonly string[];
  /** Nodes of the step before, and the last nodes of the graphs in them. Absent in a first step whose graph begins. */
  readonly sources?: readonly string[];
  /** True when the step under way has no number and has ended: the next task begins another. */
  readonly isStepOver?: boolean;
}

export interface StudioRun {
  readonly id?: string;
  /** The attempt of the run, from 1, if it was told. */
  readonly attempt?: number;
  readonly status: RunStatus;
  readonly error?: StudioError;
  /** Open interrupts. */
  readonly interrupts: readonly StudioInterrupt[];
  /** Names of the nodes that the run's own graph told as next; `__start__` before its input was taken. */
  readonly next: readonly string[];
  readonly tasks: KeyedList<StudioTask>;
  readonly nodes: KeyedList<StudioNode>;
  readonly steps: KeyedList<StudioStep>;
  /** Graphs by namespace. */
  readonly graphs: KeyedList<StudioGraph>;
  readonly moves: KeyedList<StudioMove>;
  /** The id of the newest event that was folded in; -1 before the first. */
  readonly seen: number;
  /** The id of the first event after the newest gap between ids; -1 when no event is missing. */
  readonly gapAt: number;
  /** True once events told of tasks: `updates` then repeat them. */
  readonly tellsTasks: boolean;
  /** Ids of the tasks with the newest large inputs. */
  readonly largeInputs: readonly string[];
  /** The keys of the steps of messages whose pieces come without a namespace, by the messages' ids. */
  readonly messageSteps: KeyedList<string>;
}

export function beginStudioRun(id?: string): StudioRun {
  return {
    ...(id === undefined ? {} : { id }),
    status: "pending",
    interrupts: [],
    next: [],
    tasks: KeyedList.empty(),
    nodes: KeyedList.empty(),
    steps: KeyedList.empty(),
    graphs: KeyedList.empty(),
    moves: KeyedList.empty(),
    seen: -1,
    gapAt: -1,
    tellsTasks: false,
    largeInputs: [],
    messageSteps: KeyedList.empty(),
  };
}

/** Tells what a run that ended as `success` waits for: a person's answers, a breakpoint, or nothing. */
export function waitsFor({ status, interrupts, next }: StudioRun): "answer" | "breakpoint" | undefined {
  if (status !== "success") return undefined;
  if (interrupts.length > 0) return "answer";
  return next.length > 0 ? "breakpoint" : undefined;
}

/** Order of urgency: what needs a person, what is going on, what is going to be, what was. */
const URGENCY: readonly TaskStatus[] = ["failed", "interrupted", "running", "waiting", "unknown", "cancelled", "done"];

/** Returns the first status that a task has: failed, interrupted, running, waiting, unknown, cancelled, done. */
export function summaryStatus(counts: StatusCounts): TaskStatus {
  return URGENCY.find((status) => (counts[status] ?? 0) > 0) ?? "unknown";
}
