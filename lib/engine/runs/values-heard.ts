import type { NewEvent, StreamMode } from "../../protocol/stream.ts";
import type { StoredRun } from "../ports/ports.ts";

/** Keeps the last values that a run tells, if its webhook has no thread to take them from. */
export interface ValuesHeard {
  /** What the worker is to stream. */
  modes: StreamMode[];
  /** What of these events goes into the log: values only if they were asked for. */
  hear(events: readonly NewEvent[]): readonly NewEvent[];
  /** JSON text. */
  last(): string | undefined;
}

export function hearValues({ kwargs, threaded }: Pick<StoredRun, "kwargs" | "threaded">): ValuesHeard {
  const modes = kwargs.stream_mode;
  if (kwargs.webhook === null || threaded) return { modes, hear: (events) => events, last: () => undefined };
  const asked = modes.includes("values");
  let last: string | undefined;
  return {
    modes: asked ? modes : [...modes, "values"],
    hear(events) {
      last = events.findLast(({ event }) => event === "values")?.data ?? last;
      return asked ? events : events.filter(({ event }) => event !== "values" && !event.startsWith("values|"));
    },
    last: () => last,
  };
}
