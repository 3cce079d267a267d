import type { ThreadStatus } from "#lib/protocol/threads.ts";
import { Pill, type Tone } from "../_ui/status.tsx";

export const THREAD_STATUS: Record<ThreadStatus, { tone: Tone; word: string }> = {
  idle: { tone: "neutral", word: "Idle" },
  busy: { tone: "running", word: "Running" },
  interrupted: { tone: "waiting", word: "Interrupted" },
  error: { tone: "bad", word: "Failed" },
};

export function ThreadPill({ status, waiting }: { status: ThreadStatus; waiting: boolean }) {
  if (waiting && status !== "busy" && status !== "error") return <Pill tone="waiting">Waiting</Pill>;
  const { tone, word } = THREAD_STATUS[status];
  return <Pill tone={tone}>{word}</Pill>;
}
