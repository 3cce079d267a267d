/** Tracks work that nobody awaits yet, and remembers the first failure. */
export function trackPending() {
  const works = new Set<Promise<void>>();
  let failure: { error: unknown } | undefined;
  const throwIfFailed = (): void => {
    if (failure) throw failure.error;
  };
  return {
    throwIfFailed,
    isEmpty: () => works.size === 0,
    add(work: Promise<void>): void {
      const watched: Promise<void> = work
        .catch((error: unknown) => {
          failure ??= { error };
        })
        .finally(() => works.delete(watched));
      works.add(watched);
    },
    async ended(): Promise<void> {
      while (works.size > 0) await Promise.all(works);
      throwIfFailed();
    },
  };
}
