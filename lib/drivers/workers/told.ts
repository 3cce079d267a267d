/** Stores the changes that runs tell their host without waiting for an answer. */
import type { RequestOrigin } from "../../protocol/host-requests.ts";
import type { RunError } from "../../protocol/stream.ts";
import type { WorkerLine } from "../../protocol/worker-lines.ts";
import type { HostMessage } from "../../protocol/worker.ts";

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
  /** Sets whether the worker's messages are read. */
  setReading(isReading: boolean): void;
}

/** Characters of changes that may wait to be stored. Above this, the worker is not read until half of them are. */
const HIGH_WATER = 8 * 1024 * 1024;

/** Returns a function that opens the changes of a run of one worker. */
export function createTold({ change, toError, send, setReading }: TellOptions): () => ToldChanges {
  let unstored = 0;
  const begun = (size: number): void => {
    unstored += size;
    if (unstored > HIGH_WATER) setReading(false);
  };
  const ended = (size: number): void => {
    unstored -= size;
    if (unstored <= HIGH_WATER / 2) setReading(true);
  };
  return () => {
    const open = new Set<Promise<void>>();
    let failure: RunError | undefined;
    return {
      store({ run, token, tell, size }) {
        const origin = { run, token };
        begun(size);
        const storing: Promise<void> = change(origin, tell, () => failure !== undefined)
          .catch((thrown: unknown) => {
            if (failure) return;
            failure = toError(thrown, origin);
            send({ type: "refused", ...origin, error: failure });
          })
          .finally(() => {
            open.delete(storing);
            ended(size);
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
