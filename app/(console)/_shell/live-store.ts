import type { FollowedDeployment, ConnectionStatus } from "@/lib/client/follow-deployments.ts";

/** The newest state that the page's connection has reported. */
export interface Live {
  readonly link: ConnectionStatus;
  readonly deployments: readonly FollowedDeployment[];
}

export interface LiveStore {
  /** The state that the server rendered the page with. */
  readonly initial: Live;
  readonly current: () => Live;
  readonly subscribe: (listener: () => void) => () => void;
  readonly change: (part: Partial<Live>) => void;
}

/**
 * Creates a store that notifies its subscribers. A context value would not do: if it changes while a part of the page
 * is still streaming in, React discards the server's HTML of that part and renders it again.
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
