/** A turn is new input and all that followed from it: the runs that went on after breakpoints and answers, and edits. */
import { isObject, type JsonObject } from "../../protocol/json.ts";
import { checkpointIdOf } from "../threads/read-state.ts";
import { type StateHead } from "./state-heads.ts";

/** The states of one turn, newest first. There is always one. */
export type Turn = readonly [StateHead, ...StateHead[]];

/** Groups a history, newest first, into turns. A fork of an older state begins a turn of its own. Total. */
export function turnsOf(history: readonly StateHead[]): readonly Turn[] {
  const turns: [StateHead, ...StateHead[]][] = [];
  let later: StateHead | undefined;
  for (const head of history) {
    const turn = turns.at(-1);
    const isBefore = later && checkpointIdOf(later.parent_checkpoint) === checkpointIdOf(head.checkpoint);
    if (turn && later && isBefore && !isInput(later)) turn.push(head);
    else turns.push([head]);
    later = head;
  }
  return turns;
}

export function isInput({ metadata }: StateHead): boolean {
  return isObject(metadata) && metadata.source === "input";
}

/** Returns whether a run went on from the newest state, without new input. `kwargs`: its arguments. */
export function isContinuation(kwargs: unknown): boolean {
  return hasNoInput(kwargs) && checkpointIn(kwargs) === undefined;
}

/** Returns the id of the state from which a run went on without new input, if its arguments name one. */
export function forkOf(kwargs: unknown): string | undefined {
  return hasNoInput(kwargs) ? checkpointIn(kwargs) : undefined;
}

const hasNoInput = (kwargs: unknown): kwargs is JsonObject => isObject(kwargs) && (kwargs.input ?? null) === null;

function checkpointIn({ config }: JsonObject): string | undefined {
  return isObject(config) ? checkpointIdOf(config.configurable) : undefined;
}
