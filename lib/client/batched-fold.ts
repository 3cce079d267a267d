import type { ParsedEvent } from "../rules/threads/transcript.ts";

/** Events that arrive within this time are folded together, so that not every token is a rendering. */
const FLUSH_MS = 32;
/** The ms that one batch may take. The rest of what has arrived waits for the next one, and the page is painted between. */
const FOLD_MS = 8;
/** The number of events that are folded between two looks at the clock. */
const SLICE = 16;

/**
 * Collects the events of a run and folds them into a state in batches. `flushMs`: how long the first of them waits for
 * others.
 */
export function createBatchedFold<T>(
  start: T,
  fold: (state: T, events: readonly ParsedEvent[]) => T,
  onState: (state: T) => void,
  flushMs = FLUSH_MS,
) {
  let state = start;
  let waiting: ParsedEvent[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let onSettled: (() => void)[] = [];

  function flush(): void {
    const end = performance.now() + FOLD_MS;
    let at = 0;
    while (at < waiting.length && (at === 0 || performance.now() < end)) {
      state = fold(state, waiting.slice(at, (at += SLICE)));
    }
    waiting = waiting.slice(at);
    timer = waiting.length > 0 ? setTimeout(flush) : undefined;
    onState(state);
    if (waiting.length > 0) return;
    for (const resolve of onSettled) resolve();
    onSettled = [];
  }

  return {
    add: (event: ParsedEvent): void => {
      waiting.push(event);
      timer ??= setTimeout(flush, flushMs);
    },
    /** Resolves when all events that were added are folded. */
    settled: async (): Promise<void> => {
      if (waiting.length > 0) await new Promise<void>((resolve) => onSettled.push(resolve));
    },
    /** Folds at once what is left, and returns the state. */
    finish: (): T => {
      clearTimeout(timer);
      timer = undefined;
      state = fold(state, waiting);
      waiting = [];
      return state;
    },
  };
}
