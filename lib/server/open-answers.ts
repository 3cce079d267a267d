import { once } from "node:events";
import type { Server, ServerResponse } from "node:http";

/** Remembers the answers of servers that have not been sent to their end. */
export interface OpenResponses {
  of(server: Server): void;
  /** Resolves when all of them have been sent or their clients have gone, at the latest after so many ms. */
  sent(withinMs: number): Promise<void>;
}

export function trackOpenResponses(): OpenResponses {
  const open = new Set<ServerResponse>();
  return {
    of(server) {
      server.on("request", (_request, response) => {
        open.add(response);
        response.once("close", () => open.delete(response));
      });
    },
    async sent(withinMs) {
      const late = Promise.withResolvers<void>();
      const timer = setTimeout(late.resolve, withinMs);
      await Promise.race([Promise.all([...open].map((response) => once(response, "close"))), late.promise]);
      clearTimeout(timer);
    },
  };
}
