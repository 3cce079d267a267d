import { isObject } from "../../protocol/json.ts";
import { interruptIds, openAfter } from "../../rules/interrupts/open-interrupts.ts";
import type { Deployment } from "../ports/ports.ts";
import type { StoredThread } from "../ports/threads.ts";
import { hasBegun, pastEvents } from "./follow-runs.ts";

interface OpenInterrupts {
  open: ReadonlySet<string>;
  /** Ids of the runs that were read. */
  seen: string[];
}

/** Returns the ids of a thread's open interrupts: those at which it stopped, and those of runs under way. */
export async function openInterrupts(
  deployment: Pick<Deployment, "log" | "runs">,
  thread: StoredThread,
): Promise<OpenInterrupts> {
  let open = new Set(interruptIds(thread.interrupts));
  const inFlight = await deployment.runs.inFlight(thread.thread_id);
  for (const run of inFlight) {
    open = openAfter(open, run.kwargs);
    if (!hasBegun(run)) continue;
    for await (const { method, data } of pastEvents(deployment, run)) {
      const request: unknown = method === "input.requested" ? JSON.parse(data) : undefined;
      if (isObject(request) && typeof request.interrupt_id === "string") open.add(request.interrupt_id);
    }
  }
  return { open, seen: inFlight.map(({ run_id }) => run_id) };
}
