import type { RunEnding } from "../../engine/ports/ports.ts";
import type { NewEvent } from "../../protocol/stream.ts";
import type { WorkerLine } from "../../protocol/worker-lines.ts";

type Sink = (events: readonly NewEvent[]) => Promise<unknown>;

/** A worker that tells faster than events can be stored is not read until this much of it is. */
const HIGH_WATER = 8 * 1024 * 1024;

interface Assignment {
  sink: Sink;
  end: (ending: RunEnding) => void;
  token: number;
  cancelled: boolean;
  /** Of the read that is being handled. */
  events: NewEvent[];
  /** JSON text: those of its thread, which come with the end. */
  values?: string;
}

/** The runs that one worker process has been given, and the way of its messages to those who wait for them. */
export interface Assignments {
  add(run: string, token: number, sink: Sink): Promise<RunEnding>;
  /** Whether this run is executing, under this token if one is given. */
  has(run: string, token?: number): boolean;
  /** Hands over all events and ends of one read, a batch a run. */
  deliver(lines: readonly WorkerLine[]): void;
  /** Says that a run is to end; false when it does not execute. */
  cancel(run: string): boolean;
  end(run: string, ending: RunEnding): void;
  /** Those that were cancelled end as interrupted. */
  endAll(ending: RunEnding): void;
}

/** How a run ends that was cancelled and tells nothing more. */
export const INTERRUPTED: RunEnding = { status: "interrupted", events: [] };

export function createAssignments(channel: { pause(): void; resume(): void }): Assignments {
  const assigned = new Map<string, Assignment>();
  let unstored = 0;

  const store = (assignment: Assignment): void => {
    const { events } = assignment;
    assignment.events = [];
    const size = events.reduce((sum, event) => sum + event.data.length, 0);
    unstored += size;
    if (unstored > HIGH_WATER) channel.pause();
    const taken = (): void => {
      unstored -= size;
      if (unstored <= HIGH_WATER / 2) channel.resume();
    };
    // Whoever takes them says by the run's end that they could not be stored.
    void assignment.sink(events).then(taken, taken);
  };

  const end = (run: string, ending: RunEnding): void => {
    const assignment = assigned.get(run);
    if (!assignment) return;
    assigned.delete(run);
    assignment.end({ ...ending, events: [...assignment.events, ...ending.events] });
  };

  return {
    has(run, token) {
      const assignment = assigned.get(run);
      return assignment !== undefined && (token === undefined || assignment.token === token);
    },
    add: (run, token, sink) =>
      new Promise((resolve) => {
        assigned.set(run, { sink, token, cancelled: false, end: resolve, events: [] });
      }),
    deliver(lines) {
      const touched = new Set<Assignment>();
      for (const line of lines) {
        if (line.type !== "event" && line.type !== "values" && line.type !== "end") continue;
        const assignment = assigned.get(line.run);
        if (assignment?.token !== line.token) continue;
        if (line.type === "event") {
          assignment.events.push({ event: line.event, data: line.data });
          touched.add(assignment);
        } else if (line.type === "values") {
          assignment.values = line.data;
        } else {
          touched.delete(assignment);
          const thread = line.thread && { ...line.thread, values: assignment.values ?? "null" };
          end(line.run, { status: line.status, error: line.error, thread, events: [] });
        }
      }
      for (const assignment of touched) store(assignment);
    },
    cancel(run) {
      const assignment = assigned.get(run);
      if (assignment) assignment.cancelled = true;
      return assignment !== undefined;
    },
    end,
    endAll(ending) {
      for (const [run, { cancelled }] of assigned) end(run, cancelled ? INTERRUPTED : ending);
    },
  };
}
