/** A turn is new input and all that followed from it: the runs that went on after breakpoints and answers, and edits. */
import { isObject } from "../../protocol/json.ts";
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

function isInput({ metadata }: StateHead): boolean {
  return isObject(metadata) && metadata.source === "input";
}

/** Returns whether a run went on from the end of the run before it, without new input. `kwargs`: its arguments. */
export function isContinuation(kwargs: unknown): boolean {
  if (!isObject(kwargs) || (kwargs.input ?? null) !== null) return false;
  const config = isObject(kwargs.config) ? kwargs.config : {};
  const configurable = isObject(config.configurable) ? config.configurable : {};
  return configurable.checkpoint_id === undefined;
}
