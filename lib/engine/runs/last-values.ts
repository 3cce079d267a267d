import type { NewEvent, StreamMode } from "../../protocol/stream.ts";
import type { StoredRun } from "../ports/ports.ts";

/** Keeps the last values that a run streams, when its webhook has no thread to read them from. */
export interface LastValues {
  /** The stream modes for the worker. */
  modes: StreamMode[];
  /** Returns the events for the log: values only if they were requested. */
  filter(events: readonly NewEvent[]): readonly NewEvent[];
  /** JSON text. */
  last(): string | undefined;
}

export function keepLastValues({ kwargs, threaded }: Pick<StoredRun, "kwargs" | "threaded">): LastValues {
  const modes = kwargs.stream_mode;
  if (kwargs.webhook === null || threaded) return { modes, filter: (events) => events, last: () => undefined };
  const isRequested = modes.includes("values");
  let last: string | undefined;
  return {
    modes: isRequested ? modes : [...modes, "values"],
    filter(events) {
      last = events.findLast(({ event }) => event === "values")?.data ?? last;
      return isRequested ? events : events.filter(({ event }) => event !== "values" && !event.startsWith("values|"));
    },
    last: () => last,
  };
}
