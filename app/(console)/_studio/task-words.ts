import type { StudioTask, TaskStatus } from "#lib/rules/studio/run.ts";
import type { Tone } from "../_ui/status.tsx";

/** The tone and the word of each status, wherever it is shown. */
export const TASK_WORDS: Record<TaskStatus, { readonly tone: Tone; readonly word: string }> = {
  waiting: { tone: "neutral", word: "Next" },
  running: { tone: "running", word: "Running" },
  done: { tone: "ok", word: "Done" },
  failed: { tone: "bad", word: "Failed" },
  interrupted: { tone: "waiting", word: "Waiting for you" },
  cancelled: { tone: "neutral", word: "Cancelled" },
  unknown: { tone: "neutral", word: "Unknown" },
};

/** Returns how often the node of a task was executed, retries by its own policy included. */
export const attemptsOf = ({ attempt, retried = [] }: Pick<StudioTask, "attempt" | "retried">): number =>
  attempt + retried.length;
