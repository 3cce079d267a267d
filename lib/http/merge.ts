/**
 * Merges several sources in the order in which their pieces arrive. At most one piece of each source waits, so a slow
 * reader slows all of them down. Ends when all have ended; throws the first error of a source.
 */
export async function* merge<T>(
  sources: readonly AsyncGenerator<T, void, undefined>[],
): AsyncGenerator<T, void, undefined> {
  const waiting: { piece: T; taken: () => void }[] = [];
  let underway = sources.length;
  let failure: { thrown: unknown } | undefined;
  let over = false;
  let news = Promise.withResolvers<void>();
  const pump = async (source: AsyncGenerator<T, void, undefined>): Promise<void> => {
    try {
      for await (const piece of source) {
        if (over) return;
        await new Promise<void>((taken) => {
          waiting.push({ piece, taken });
          news.resolve();
        });
      }
    } catch (thrown) {
      failure ??= { thrown };
    } finally {
      underway--;
      news.resolve();
    }
  };
  for (const source of sources) void pump(source);
  try {
    for (;;) {
      const next = waiting.shift();
      if (next) {
        next.taken();
        yield next.piece;
      } else if (failure) throw failure.thrown;
      else if (underway === 0) return;
      else {
        await news.promise;
        news = Promise.withResolvers<void>();
      }
    }
  } finally {
    over = true;
    for (const { taken } of waiting) taken();
  }
}
