import type { RunEnding } from "../../engine/ports/run-end.ts";
import type { NewEvent } from "../../protocol/stream.ts";
import type { WorkerLine } from "../../protocol/worker-lines.ts";
import type { Backlog } from "./backlog.ts";
import type { ToldChanges } from "./told.ts";

type Sink = (events: readonly NewEvent[]) => Promise<unknown>;

interface Assignment {
  sink: Sink;
  end: (ending: RunEnding) => void;
  token: number;
  told: ToldChanges;
  cancelled: boolean;
  /** Events of the read that is being handled. */
  events: NewEvent[];
  /** JSON text of the thread's values, which the worker sends just before the end. */
  values?: string;
}

/** The runs that are assigned to one worker process. Passes the worker's messages to the callers of these runs. */
export interface Assignments {
  add(run: string, token: number, sink: Sink): Promise<RunEnding>;
  /** Returns whether this run is executing, under this token if one is given. */
  has(run: string, token?: number): boolean;
  /** Resolves when all changes that a run has told are stored, or have failed. */
  settled(run: string): Promise<void>;
  /** Stores the changes, and delivers all events and ends, of one read: events in one batch for each run. */
  deliver(lines: readonly WorkerLine[]): void;
  /**
   * Marks a run as cancelled; it is ended if it goes on for a while. Returns false if it is not executing, under this token if one
   * is given.
   */
  cancel(run: string, token?: number): boolean;
  end(run: string, ending: RunEnding): void;
  /** Ends all runs. Cancelled ones end as interrupted. */
  endAll(ending: RunEnding): void;
}

/** The time for which a cancelled run may go on before it counts as ended. */
const CANCEL_MS = 5_000;
/** The end of a cancelled run that sends none itself. */
const INTERRUPTED: RunEnding = { status: "interrupted", events: [] };

/** Stores the events of one read. */
function storeEvents(assignment: Assignment, backlog: Backlog): void {
  const { events } = assignment;
  assignment.events = [];
  const size = events.reduce((sum, event) => sum + event.data.length, 0);
  backlog.add(size);
  const taken = (): void => backlog.remove(size);
  // If events cannot be stored, the sink's owner reports that at the end of the run.
  void assignment.sink(events).then(taken, taken);
}

/** `backlog` holds the events that are not stored yet. */
export function createAssignments(backlog: Backlog, openTold: () => ToldChanges): Assignments {
  const assigned = new Map<string, Assignment>();
  const find = (run: string, token?: number): Assignment | undefined => {
    const assignment = assigned.get(run);
    return token === undefined || assignment?.token === token ? assignment : undefined;
  };

  const end = (run: string, ending: RunEnding): void => {
    const assignment = assigned.get(run);
    if (!assignment) return;
    assigned.delete(run);
    const { events, told } = assignment;
    assignment.end({ ...ending, events: [...events, ...ending.events], unstored: told.failure });
  };

  return {
    has: (run, token) => find(run, token) !== undefined,
    add: (run, token, sink) =>
      new Promise((resolve) => {
        assigned.set(run, { sink, token, told: openTold(), cancelled: false, end: resolve, events: [] });
      }),
    async settled(run) {
      await assigned.get(run)?.told.settled();
    },
    deliver(lines) {
      const touched = new Set<Assignment>();
      for (const line of lines) {
        if (line.type !== "event" && line.type !== "values" && line.type !== "tell" && line.type !== "end") continue;
        const assignment = assigned.get(line.run);
        if (assignment?.token !== line.token) continue;
        if (line.type === "event") {
          assignment.events.push({ event: line.event, data: line.data });
          touched.add(assignment);
        } else if (line.type === "values") {
          assignment.values = line.data;
        } else if (line.type === "tell") {
          assignment.told.store(line);
        } else {
          touched.delete(assignment);
          const thread = line.thread && { ...line.thread, values: assignment.values ?? "null" };
          end(line.run, { status: line.status, error: line.error, thread, events: [] });
        }
      }
      for (const assignment of touched) storeEvents(assignment, backlog);
    },
    cancel(run, token) {
      const assignment = find(run, token);
      if (!assignment) return false;
      assignment.cancelled = true;
      const late = (): void => void (assigned.get(run) === assignment && end(run, INTERRUPTED));
      setTimeout(late, CANCEL_MS).unref();
      return true;
    },
    end,
    endAll(ending) {
      for (const [run, { cancelled }] of assigned) end(run, cancelled ? INTERRUPTED : ending);
    },
  };
}
