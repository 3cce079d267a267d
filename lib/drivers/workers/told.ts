/** Stores the changes that runs tell their host without waiting for an answer. */
import type { RequestOrigin } from "../../protocol/host-requests.ts";
import type { RunError } from "../../protocol/stream.ts";
import type { WorkerLine } from "../../protocol/worker-lines.ts";
import type { HostMessage } from "../../protocol/worker.ts";
import type { Backlog } from "./backlog.ts";

export type TellLine = Extract<WorkerLine, { type: "tell" }>;

/** The changes of one run. */
export interface ToldChanges {
  /** Stores a change, after those before it. */
  store(line: TellLine): void;
  /** Returns why one of the changes could not be stored. Undefined while none has failed. */
  failure(): RunError | undefined;
  /** Resolves when all changes so far are stored, or have failed. */
  settled(): Promise<void>;
}

export interface TellOptions {
  /** Makes a change after those before it, unless one of them has failed. */
  change(origin: RequestOrigin, change: TellLine["tell"], hasFailed: () => boolean): Promise<void>;
  /** Makes the error that the run gets. */
  toError(thrown: unknown, origin: RequestOrigin): RunError;
  send(message: HostMessage): void;
  /** Holds the changes that are not stored yet. */
  backlog: Backlog;
}

/** Returns a function that opens the changes of a run of one worker. */
export function createTold({ change, toError, send, backlog }: TellOptions): () => ToldChanges {
  return () => {
    const open = new Set<Promise<void>>();
    let failure: RunError | undefined;
    return {
      store({ run, token, tell, size }) {
        const origin = { run, token };
        backlog.add(size);
        const storing: Promise<void> = change(origin, tell, () => failure !== undefined)
          .catch((thrown: unknown) => {
            if (failure) return;
            failure = toError(thrown, origin);
            send({ type: "refused", ...origin, error: failure });
          })
          .finally(() => {
            open.delete(storing);
            backlog.remove(size);
          });
        open.add(storing);
      },
      failure: () => failure,
      async settled() {
        await Promise.all(open);
      },
    };
  };
}
