import * as z from "zod";

export const StreamMode = z.enum([
  "values",
  "messages",
  "messages-tuple",
  "updates",
  "events",
  "debug",
  "tasks",
  "checkpoints",
  "custom",
  "tools",
]);
export type StreamMode = z.infer<typeof StreamMode>;

/**
 * One thing a run told. `id` counts from 0 within the run, without a gap; `data` is JSON text on one line, passed
 * from the worker to the client without being parsed on the way.
 */
export interface RunEvent {
  readonly id: number;
  readonly event: string;
  readonly data: string;
}

/** An event that has no number yet. */
export type NewEvent = Omit<RunEvent, "id">;

/** The last event of every run. It closes the log and is never written to a client. Data: `RunEnd`. */
export const END = "end";

/** Class name and message of what failed, as the `error` event carries it. */
export const RunError = z.object({ error: z.string(), message: z.string() });
export type RunError = z.infer<typeof RunError>;

export const RunEnd = z.object({ status: z.enum(["success", "error", "interrupted", "timeout"]) });
export type RunEnd = z.infer<typeof RunEnd>;

/**
 * The mode an event belongs to: `updates|child:1` to `updates`, `messages/partial` to `messages`, and `messages` to
 * `messages-tuple` (the one event whose name is not its mode's). Control events belong to none.
 */
export function modeOf(event: string): StreamMode | undefined {
  const bar = event.indexOf("|");
  const name = bar < 0 ? event : event.slice(0, bar);
  if (name === "messages") return "messages-tuple";
  const slash = name.indexOf("/");
  const mode = StreamMode.safeParse(slash < 0 ? name : name.slice(0, slash));
  return mode.success ? mode.data : undefined;
}
