import { isResting, isTerminal, type Artifact, type Dialect, type Part, type TaskUpdate } from "../../protocol/a2a.ts";
import type { StoredTask } from "../../protocol/tasks.ts";
import { stateOf, type TaskProgress } from "./task-fold.ts";
import { othersOf, replyOf, statusOf, taskOf } from "./task.ts";

/** The part of a task's progress that its listeners have received. */
export interface SentUpdates {
  /** The number of stages that were sent. */
  readonly stages: number;
  /** The reply's text as the listeners have it. */
  readonly text: string;
  /** The other artifacts that the listeners have. */
  readonly others: readonly Artifact[];
  /** The time at which a piece of the reply was last sent, in ms since the epoch. */
  readonly at: number;
}

/** A piece of the reply is sent when it has this many characters, or `PIECE_MS` after the one before it. */
const PIECE_LENGTH = 40;
export const PIECE_MS = 50;

/** Returns what a new listener receives first: all that is known of the task. */
export function initialUpdates(task: StoredTask, progress: TaskProgress): SentUpdates {
  const [reply] = replyOf(progress) ?? [];
  return {
    stages: progress.stages.length,
    text: reply?.kind === "text" ? reply.text : "",
    others: othersOf(task, progress),
    at: 0,
  };
}

/** Returns the first event of a stream: the task as far as it was sent, so that the next updates continue it. */
export function taskSnapshot(
  task: StoredTask,
  progress: TaskProgress,
  sent: SentUpdates,
  historyLength?: number,
): TaskUpdate {
  if (isResting(stateOf(progress))) return { kind: "task", task: taskOf(task, progress, { historyLength }) };
  const reply: Part = { kind: "text", text: sent.text };
  const replies: Artifact[] = sent.text === "" ? [] : [{ artifactId: task.artifact_id, name: "reply", parts: [reply] }];
  const artifacts = [...replies, ...sent.others];
  return { kind: "task", task: taskOf(task, progress, { historyLength, artifacts }) };
}

/**
 * Returns the events that bring a listener up to date that has missed updates. `a2a-sdk` 0.3 for Python throws at the
 * second task of a stream. So v0.3 gets the artifacts and the state, which replace those that the client holds.
 * `stays` is set for a subscription, which a question does not end.
 */
export function catchUpUpdates(
  update: TaskUpdate,
  { dialect, stays }: { dialect: Dialect; stays: boolean },
): readonly TaskUpdate[] {
  if (update.kind !== "task" || dialect === "1.0") return [update];
  const { id: taskId, contextId, artifacts = [], status } = update.task;
  const ids = { taskId, contextId };
  const rests = isResting(status.state);
  return [
    ...artifacts.map((artifact): TaskUpdate => ({
      kind: "artifact",
      ...ids,
      artifact,
      append: false,
      lastChunk: rests,
    })),
    { kind: "status", ...ids, status, last: stays ? isTerminal(status.state) : rests },
  ];
}

/**
 * Returns the updates that listeners have not received, in order: states, pieces of the reply, and the resting state as
 * the last event of the stream. The newest piece is held back, because the last piece has to be marked.
 */
export function nextUpdates(
  task: StoredTask,
  sent: SentUpdates,
  progress: TaskProgress,
  now: number,
): { sent: SentUpdates; updates: TaskUpdate[] } {
  const ids = { taskId: task.task_id, contextId: task.context_id };
  const updates: TaskUpdate[] = [];
  const rests = isResting(stateOf(progress));
  const last = progress.stages.length - 1;
  for (let stage = sent.stages; stage < (rests ? last : last + 1); stage++) {
    updates.push({ kind: "status", ...ids, status: statusOf(task, progress, stage), last: false });
  }
  const piece = rests ? lastPiece(sent, progress) : nextPiece(sent, progress, now);
  for (const { append, parts, isLast } of piece ? inEvents(piece) : []) {
    const artifact: Artifact = { artifactId: task.artifact_id, ...(!append && { name: "reply" }), parts };
    updates.push({ kind: "artifact", ...ids, artifact, append, lastChunk: rests && isLast });
  }
  const others = rests ? othersOf(task, progress) : [];
  const isNews = rests && JSON.stringify(others) !== JSON.stringify(sent.others);
  if (isNews) {
    updates.push(
      ...others.map((artifact): TaskUpdate => ({ kind: "artifact", ...ids, artifact, append: false, lastChunk: true })),
    );
  }
  if (rests && sent.stages <= last) {
    updates.push({ kind: "status", ...ids, status: statusOf(task, progress, last), last: true });
  }
  return {
    sent: {
      stages: last + 1,
      text: piece ? piece.text : sent.text,
      others: isNews ? others : sent.others,
      at: piece ? now : sent.at,
    },
    updates,
  };
}

/** Clients give up on an event of more than 4 MiB; a character may take six bytes of JSON. */
const EVENT_LENGTH = 512 * 1024;

/** Splits a piece into several events when its text is too long for one. */
function inEvents({ append, parts }: ReplyPiece): { append: boolean; parts: readonly Part[]; isLast: boolean }[] {
  const [first, ...others] = parts;
  if (first?.kind !== "text" || first.text.length <= EVENT_LENGTH) return [{ append, parts, isLast: true }];
  const texts: string[] = [];
  for (let from = 0; from < first.text.length;) {
    let to = from + EVENT_LENGTH;
    // A cut must not separate the two halves of a surrogate pair.
    if (/[\uD800-\uDBFF]/.test(first.text.charAt(to - 1))) to--;
    texts.push(first.text.slice(from, to));
    from = to;
  }
  return texts.map((text, index) => {
    const isLast = index === texts.length - 1;
    const part: Part = { kind: "text", text };
    return { append: append || index > 0, parts: isLast ? [part, ...others] : [part], isLast };
  });
}

/** Returns whether a piece is held back that has to be sent later. */
export function isBehind(sent: SentUpdates, { writing }: TaskProgress): boolean {
  return writing !== undefined && writing.text.length - writing.lastPiece > sent.text.length;
}

interface ReplyPiece {
  readonly append: boolean;
  readonly parts: readonly Part[];
  /** The reply's text including this piece. */
  readonly text: string;
}

function nextPiece(sent: SentUpdates, { writing }: TaskProgress, now: number): ReplyPiece | undefined {
  if (!writing) return undefined;
  const text = writing.text.slice(0, -writing.lastPiece);
  const piece = pieceOf(sent.text, text);
  if (!piece || text === "") return undefined;
  return text.length - sent.text.length >= PIECE_LENGTH || now - sent.at >= PIECE_MS ? piece : undefined;
}

function lastPiece(sent: SentUpdates, progress: TaskProgress): ReplyPiece | undefined {
  const parts = replyOf(progress);
  const [part] = parts ?? [];
  if (!parts || !part) return undefined;
  if (part.kind !== "text") return { append: false, parts, text: "" };
  const rest = pieceOf(sent.text, part.text);
  // The files and data of the reply follow the last piece of its text.
  return rest ? { ...rest, parts: [...rest.parts, ...parts.slice(1)] } : { append: false, parts, text: part.text };
}

/** Returns the piece that turns `from` into `to`: the rest of `to`, or all of it; undefined when they are equal. */
function pieceOf(from: string, to: string): ReplyPiece | undefined {
  if (from === to) return undefined;
  const append = from !== "" && to.startsWith(from);
  return { append, parts: [{ kind: "text", text: append ? to.slice(from.length) : to }], text: to };
}
