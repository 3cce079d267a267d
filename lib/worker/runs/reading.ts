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
      // From the graph to its reader, an item passes promises only, all of which come before the next tick.
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
