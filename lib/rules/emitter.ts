/** Calls listeners when something happens; whoever makes it happen need not know who listens. */
export interface Emitter<Event extends unknown[]> {
  /** Calls `listener` at every event from now on. Returns a function that ends that. */
  on(listener: (...event: Event) => void): () => void;
  emit(...event: Event): void;
  /** Removes all listeners. It takes no others after that. */
  close(): void;
}

export function createEmitter<Event extends unknown[] = []>(): Emitter<Event> {
  const listeners = new Set<(...event: Event) => void>();
  let isClosed = false;
  return {
    on(listener) {
      if (!isClosed) listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    emit(...event) {
      for (const listener of listeners) listener(...event);
    },
    close() {
      isClosed = true;
      listeners.clear();
    },
  };
}
