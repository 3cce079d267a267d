import type { TaskState } from "#lib/protocol/a2a.ts";
import { Pill, type Tone } from "../_ui/status.tsx";

export const TASK_STATES: Record<TaskState, { tone: Tone; word: string }> = {
  submitted: { tone: "neutral", word: "Submitted" },
  working: { tone: "running", word: "Working" },
  "input-required": { tone: "waiting", word: "Input required" },
  "auth-required": { tone: "waiting", word: "Auth required" },
  completed: { tone: "ok", word: "Completed" },
  failed: { tone: "bad", word: "Failed" },
  canceled: { tone: "neutral", word: "Cancelled" },
  rejected: { tone: "bad", word: "Rejected" },
};

export function TaskPill({ state }: { state: TaskState | undefined }) {
  if (state === undefined) return <Pill tone="neutral">Unknown</Pill>;
  const { tone, word } = TASK_STATES[state];
  return <Pill tone={tone}>{word}</Pill>;
}
