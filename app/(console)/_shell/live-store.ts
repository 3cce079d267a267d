import type { FollowedDeployment, ConnectionStatus } from "#lib/client/follow-deployments.ts";
import type { Interruption } from "#lib/client/follow-to-end.ts";
import { createEmitter } from "#lib/rules/emitter.ts";

/** The newest state that the page's connection has reported. */
export interface Live {
  readonly link: ConnectionStatus;
  /** Set while the page reconnects. */
  readonly interruption?: Interruption;
  readonly deployments: readonly FollowedDeployment[];
}

/**
 * Creates a store that notifies its subscribers. A context value would not do: if it changes while a part of the page
 * is still streaming in, React discards the server's HTML of that part and renders it again.
 */
export function createLive(initial: Live) {
  let live = initial;
  const changes = createEmitter();
  return {
    /** The state that the server rendered the page with. */
    initial,
    current: () => live,
    subscribe: (listener: () => void) => changes.on(listener),
    change: (part: Partial<Live>) => {
      live = { ...live, ...part };
      changes.emit();
    },
  };
}
