/** The time for which a reader is expected, in ms. A client may be gone before its reader begins. */
const EXPECTED_MS = 10_000;

export interface Readers {
  has(runId: string): boolean;
  /** Counts a reader until the returned function is called. */
  hold(runId: string): () => void;
  /** Counts a reader that is about to begin, until it does. */
  expect(runId: string): void;
  /** Ends what `expect` began, because no reader will come. */
  unexpect(runId: string): void;
}

/** Counts the readers of each run. `left` is called when a run has none any more. */
export function countReaders(left: (runId: string) => void): Readers {
  const counts = new Map<string, number>();
  const expected = new Map<string, () => void>();
  const add = (runId: string): (() => void) => {
    counts.set(runId, (counts.get(runId) ?? 0) + 1);
    return () => {
      const others = (counts.get(runId) ?? 1) - 1;
      if (others > 0) return void counts.set(runId, others);
      counts.delete(runId);
      left(runId);
    };
  };
  const unexpect = (runId: string): void => {
    const release = expected.get(runId);
    expected.delete(runId);
    release?.();
  };
  return {
    has: (runId) => counts.has(runId),
    hold(runId) {
      const release = add(runId);
      unexpect(runId);
      return release;
    },
    expect(runId) {
      const release = add(runId);
      const timer = setTimeout(() => unexpect(runId), EXPECTED_MS).unref();
      expected.set(runId, () => {
        clearTimeout(timer);
        release();
      });
    },
    unexpect,
  };
}
