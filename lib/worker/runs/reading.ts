/**
 * How far a graph's stream has been read. When a graph fails, LangGraph drops what nobody has read of its stream yet, so
 * its loop ends only when all is read.
 */
export interface Reading {
  /** Marks that nothing is read until `ready` resolves. */
  waitFor(ready: Promise<void>): Promise<void>;
  /** Resolves when everything that the graph has streamed so far is read. */
  caughtUp(): Promise<void>;
}

export function openReading(): Reading {
  let waiting: Promise<void> | undefined;
  return {
    async waitFor(ready) {
      waiting = ready;
      await ready;
      waiting = undefined;
    },
    async caughtUp() {
      // An item passes only promises on its way to the reader, and all of them come before the next tick.
      await nextTick();
      while (waiting) {
        await waiting;
        await nextTick();
      }
    },
  };
}

function nextTick(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve));
}
