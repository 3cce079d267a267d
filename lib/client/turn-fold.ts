import { foldEvents, type ParsedEvent, type Turn } from "../rules/threads/transcript.ts";

/** Events that arrive within this time are folded together, so that not every token is a rendering. */
const FLUSH_MS = 32;

/** Collects a run's events and folds them into its turn in batches. */
export function createTurnFold(start: Turn, onTurn: (turn: Turn) => void) {
  let turn = start;
  let waiting: ParsedEvent[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  function finish(): Turn {
    clearTimeout(timer);
    timer = undefined;
    turn = foldEvents(turn, waiting);
    waiting = [];
    return turn;
  }
  return {
    finish,
    add: (event: ParsedEvent): void => {
      waiting.push(event);
      timer ??= setTimeout(() => onTurn(finish()), FLUSH_MS);
    },
  };
}
