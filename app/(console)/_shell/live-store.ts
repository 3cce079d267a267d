import type { DeploymentState, Link } from "@/lib/client/follow-deployments.ts";

/** What the page's connection has told. */
export interface Live {
  readonly link: Link;
  readonly deployments: readonly DeploymentState[];
}

export interface LiveStore {
  /** What the server rendered the page with. */
  readonly initial: Live;
  readonly current: () => Live;
  readonly subscribe: (listener: () => void) => () => void;
  readonly change: (part: Partial<Live>) => void;
}

/**
 * Tells its readers one by one. A context that changes while a part of the page is still arriving makes React throw the
 * server's rendering of that part away and render it again.
 */
export function createLive(initial: Live): LiveStore {
  let live = initial;
  const listeners = new Set<() => void>();
  return {
    initial,
    current: () => live,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    change: (part) => {
      live = { ...live, ...part };
      for (const listener of listeners) listener();
    },
  };
}
