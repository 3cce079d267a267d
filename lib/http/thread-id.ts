import * as z from "zod";
import { Fault } from "../protocol/faults.ts";

/** Returns the thread id of a path. Faults: `invalid` for anything but a UUID. */
export function threadIdOf(params: Readonly<Record<string, string>>): string {
  const parsed = z.uuid().safeParse(params.thread_id);
  if (parsed.success) return parsed.data.toLowerCase();
  throw new Fault("invalid", "Invalid path: thread_id: expected a UUID", {
    issues: [{ path: "thread_id", message: "expected a UUID" }],
  });
}
