/**
 * How many are told in one frame. Rendering a node again, its style and its paint take 0.1 to 0.2 ms on a slow machine, and a
 * graph of 500 nodes has a thousand nodes and edges.
 */
const MOST_A_FRAME = 48;

interface Subscriber<T> {
  read: () => T;
  tell: () => void;
  /** The value that it was told last. */
  known: T;
}

interface Options<T> {
  isLit: (value: T) => boolean;
  /** Calls back before the next frame is painted. */
  nextFrame?: ((callback: () => void) => void) | undefined;
}

/**
 * Tells those whose value has changed, some of them at once and the rest frame by frame, so that no frame takes long when a
 * run begins or ends and all of a large graph changes. What a run has reached is told before what goes out.
 */
export function createSubscribers<T>({ isLit, nextFrame = (call) => requestAnimationFrame(call) }: Options<T>) {
  const all = new Set<Subscriber<T>>();
  const lit = new Set<Subscriber<T>>();
  const rest = new Set<Subscriber<T>>();
  let isAwaited = false;

  function tellSome(): void {
    let left = MOST_A_FRAME;
    for (const waiting of [lit, rest]) {
      for (const one of waiting) {
        if (left-- === 0) return waitForFrame();
        waiting.delete(one);
        one.tell();
      }
    }
  }

  function waitForFrame(): void {
    if (isAwaited) return;
    isAwaited = true;
    nextFrame(() => {
      isAwaited = false;
      tellSome();
    });
  }

  return {
    add(read: () => T, tell: () => void): () => void {
      const one: Subscriber<T> = { read, tell, known: read() };
      all.add(one);
      return () => [all, lit, rest].forEach((set) => set.delete(one));
    },
    /** Looks at all values, and tells those that changed. */
    tell(): void {
      for (const one of all) {
        const value = one.read();
        if (value === one.known) continue;
        one.known = value;
        lit.delete(one);
        rest.delete(one);
        (isLit(value) ? lit : rest).add(one);
      }
      if (!isAwaited) tellSome();
    },
  };
}
