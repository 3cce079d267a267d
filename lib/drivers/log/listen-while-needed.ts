import type { BusListener } from "../../engine/ports/bus.ts";

export interface NeededListener {
  /**
   * Listens until the returned function is called. Calls `begun` once if messages may have been missed since this call, because
   * nobody listened before.
   */
  need(begun: () => void): () => void;
  close(): void;
}

/** Listens to a topic of the bus while anybody needs it. */
export function listenWhileNeeded(listen: () => BusListener): NeededListener {
  const needs = new Set<() => void>();
  let listener: BusListener | undefined;
  const stop = (): void => {
    listener?.stop();
    listener = undefined;
  };
  const begin = async (): Promise<void> => {
    const begun = listen();
    listener = begun;
    await begun.ready;
    if (listener !== begun) return;
    for (const need of needs) need();
  };
  return {
    need(begun) {
      // Two callers may pass the same function.
      const need = (): void => begun();
      needs.add(need);
      if (!listener) void begin();
      return () => {
        needs.delete(need);
        if (needs.size === 0) stop();
      };
    },
    close() {
      needs.clear();
      stop();
    },
  };
}
