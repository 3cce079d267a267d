import * as z from "zod";
import { SourcePlace } from "./node-info.ts";

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
 * An event of a run. `id` counts from 0 within the run, without gaps. `data` is JSON text on one line, which is passed
 * from the worker to the client without being parsed.
 */
export interface RunEvent {
  readonly id: number;
  readonly event: string;
  readonly data: string;
}

/** An event that has no id yet. */
export type NewEvent = Omit<RunEvent, "id">;

/** The last event of every run. It closes the log and is never written to a client. Data: `RunEnd`. */
export const END = "end";

/**
 * Class name and message of an error, as the `error` event contains them. `source`: the first place in the application's
 * own code that the error's stack names.
 */
export const RunError = z.object({ error: z.string(), message: z.string(), source: SourcePlace.optional() });
export type RunError = z.infer<typeof RunError>;

export const RunEnd = z.object({ status: z.enum(["success", "error", "interrupted", "timeout"]) });
export type RunEnd = z.infer<typeof RunEnd>;

/** Returns whether an event carries a message or a piece of one. Every event of a run passes through here. */
export function isPieceOfMessage({ event }: Pick<RunEvent, "event">): boolean {
  return event.startsWith("messages") && !event.startsWith("messages/metadata");
}

/**
 * Returns the mode of an event: `updates` for `updates|child:1`, `messages` for `messages/partial`, and
 * `messages-tuple` for `messages` (the only event that is not named after its mode). Control events have none.
 */
export function modeOf(event: string): StreamMode | undefined {
  const bar = event.indexOf("|");
  const name = bar < 0 ? event : event.slice(0, bar);
  if (name === "messages") return "messages-tuple";
  const slash = name.indexOf("/");
  const mode = StreamMode.safeParse(slash < 0 ? name : name.slice(0, slash));
  return mode.success ? mode.data : undefined;
}
