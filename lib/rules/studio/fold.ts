/**
 * Folds the events of a run into what the Studio shows of it. It takes all modes of streams, from any server, and tells
 * what it knows: a task is done only if that was told, and what may be in missing events is unknown.
 */
import { isObject, type JsonObject } from "../../protocol/json.ts";
import { timeOf } from "../threads/read-state.ts";
import type { ParsedEvent } from "../threads/transcript.ts";
import { takeCheckpoint } from "./checkpoints.ts";
import { takeCustom } from "./custom-events.ts";
import { takeMetadata, takePiece, takeWhole } from "./messages.ts";
import { readEventName } from "./namespace.ts";
import { readProblem } from "./problem.ts";
import type { RunStatus, StudioRun } from "./run.ts";
import { takeTask } from "./task-events.ts";
import { LOST, settleAll, STOPPED } from "./tasks.ts";
import { takeUpdates, takeValues } from "./updates.ts";

export function foldRunEvents(run: StudioRun, events: readonly ParsedEvent[]): StudioRun {
  return events.reduce(foldRunEvent, run);
}

/** Adds an event to a run. An event that is not newer than those before is skipped, so replays are harmless. */
export function foldRunEvent(run: StudioRun, { id, event, data }: ParsedEvent): StudioRun {
  if (!(id > run.seen)) return run;
  const seen: StudioRun = {
    ...run,
    status: run.status === "pending" ? "running" : run.status,
    seen: id,
    gapAt: id > run.seen + 1 ? id : run.gapAt,
  };
  const { name, namespace } = readEventName(event);
  switch (name) {
    case "metadata":
      return isObject(data) ? takeAttempt(seen, data) : seen;
    case "debug":
      return isObject(data) ? takeDebug(seen, data, namespace) : seen;
    case "tasks":
      return isObject(data) ? takeTask(seen, data, { namespace }) : seen;
    case "checkpoints":
      return isObject(data) && "values" in data ? takeCheckpoint(seen, data, { namespace }) : seen;
    case "updates":
      return isObject(data) ? takeUpdates(seen, data, namespace) : seen;
    case "values":
      return isObject(data) ? takeValues(seen, data, namespace) : seen;
    case "messages":
      return takePiece(seen, data, namespace);
    case "messages/partial":
      return takeWhole(seen, data, false);
    case "messages/complete":
      return takeWhole(seen, data, true);
    case "messages/metadata":
      return takeMetadata(seen, data);
    case "custom":
      return takeCustom(seen, data, namespace);
    case "error":
      return settleAll({ ...seen, status: "error", error: readProblem(data) }, STOPPED);
    case "end":
      return endStudioRun(seen, isObject(data) ? statusOf(data.status) : undefined);
    default:
      return seen;
  }
}

function takeDebug(run: StudioRun, { type, step, timestamp, payload }: JsonObject, namespace: string): StudioRun {
  if (!isObject(payload)) return run;
  const at = timeOf(timestamp);
  const telling = {
    namespace,
    ...(typeof step === "number" ? { step } : {}),
    ...(at === undefined ? {} : { at }),
  };
  if (type === "checkpoint") return takeCheckpoint(run, payload, telling);
  return type === "task" || type === "task_result" ? takeTask(run, payload, telling) : run;
}

/** Begins an attempt. What ran in the attempt before was lost with its worker; what it did not save runs again. */
function takeAttempt(run: StudioRun, { run_id, attempt }: JsonObject): StudioRun {
  const id = typeof run_id === "string" ? { id: run_id } : {};
  if (typeof attempt !== "number") return { ...run, ...id };
  const isAgain = attempt > (run.attempt ?? 1);
  const next: StudioRun = { ...run, ...id, attempt };
  return isAgain ? settleAll(next, LOST) : next;
}

const END_STATUSES: readonly RunStatus[] = ["success", "error", "interrupted", "timeout"];

const statusOf = (status: unknown): RunStatus | undefined => END_STATUSES.find((one) => one === status);

/**
 * Ends a run with the status that the API or an `end` event tells. Without one, the status is unknown unless an error
 * was told.
 */
export function endStudioRun(run: StudioRun, told?: RunStatus): StudioRun {
  const status = told ?? (run.status === "error" ? "error" : "unknown");
  const isStopped = status === "interrupted" || status === "timeout" || status === "error";
  return settleAll({ ...run, status }, isStopped ? STOPPED : LOST);
}
