import type { ThreadStatus } from "#lib/protocol/threads.ts";
import { Pill, type Tone } from "../_ui/status.tsx";

/**
 * The status that the console shows: it tells an interrupted thread that waits for a person from one whose run was
 * cancelled.
 */
export type ShownThreadStatus = Exclude<ThreadStatus, "interrupted"> | "waiting" | "stopped";

export const THREAD_STATUS: Record<ShownThreadStatus, { tone: Tone; word: string }> = {
  idle: { tone: "neutral", word: "Idle" },
  busy: { tone: "running", word: "Running" },
  waiting: { tone: "waiting", word: "Waiting" },
  stopped: { tone: "neutral", word: "Stopped" },
  error: { tone: "bad", word: "Failed" },
};

export function ThreadPill({ status, waiting }: { status: ThreadStatus; waiting: boolean }) {
  const { tone, word } = THREAD_STATUS[status === "interrupted" ? (waiting ? "waiting" : "stopped") : status];
  return <Pill tone={tone}>{word}</Pill>;
}
