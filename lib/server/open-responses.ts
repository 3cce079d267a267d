import { once } from "node:events";
import type { Server, ServerResponse } from "node:http";

/** Keeps track of the responses that have not been sent completely. */
export interface OpenResponses {
  track(server: Server): void;
  /** Resolves when all of them have been sent or their clients have gone, after `withinMs` at the latest. */
  finished(withinMs: number): Promise<void>;
}

export function trackOpenResponses(): OpenResponses {
  const open = new Set<ServerResponse>();
  return {
    track(server) {
      server.on("request", (_request, response) => {
        open.add(response);
        response.once("close", () => open.delete(response));
      });
    },
    async finished(withinMs) {
      const late = Promise.withResolvers<void>();
      const timer = setTimeout(late.resolve, withinMs);
      await Promise.race([Promise.all([...open].map((response) => once(response, "close"))), late.promise]);
      clearTimeout(timer);
    },
  };
}
