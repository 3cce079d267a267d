"use client";

import { nextNames } from "#lib/rules/studio/next-names.ts";
import type { StudioRun } from "#lib/rules/studio/run.ts";
import { Pill, type Tone } from "../_ui/status.tsx";
import { useStudio } from "./studio-context.ts";
import { hasFailed } from "./use-run-actions.ts";
import { useShown } from "./use-shown.ts";

/** Says what the shown thread does. */
export function StatusPill({ className }: { className?: string }) {
  const { tone, word } = useStatusWord();
  return (
    <output className={className}>
      <Pill tone={tone}>{word}</Pill>
    </output>
  );
}

function useStatusWord(): { tone: Tone; word: string } {
  const { state } = useStudio();
  const { head, interrupts, next, isNewest } = useShown();
  if (state.interruption) return { tone: "waiting", word: "Reconnecting…" };
  if (state.isStopping) return { tone: "running", word: "Stopping…" };
  if (state.isRunning) return { tone: "running", word: runningWord(state.run) };
  if (state.end?.how === "refused" || state.end?.how === "lost") return { tone: "bad", word: "Not started" };
  if (state.thread === "gone")
    return { tone: "neutral", word: state.passed === "deleted" ? "Deleted" : "No such thread" };
  if (state.thread !== "here") return { tone: "neutral", word: "No run yet" };
  if (!isNewest) return { tone: "neutral", word: "Past state" };
  if (interrupts.length > 0) return { tone: "waiting", word: "Waiting for you" };
  if (hasFailed(state)) return { tone: "bad", word: "Failed" };
  if (state.run?.status === "interrupted") return { tone: "neutral", word: "Stopped" };
  if (next.length > 0) return { tone: "waiting", word: `Paused before ${nextNames(next)[0]}` };
  // The thread stopped before a node that its graph no longer has.
  if (state.details?.status === "interrupted") return { tone: "waiting", word: "Paused before a node that is gone" };
  if (!head && !state.run) return { tone: "neutral", word: "No run yet" };
  return { tone: "ok", word: "Done" };
}

function runningWord(run: StudioRun | undefined): string {
  const running = run ? [...run.nodes].findLast((one) => one.status === "running") : undefined;
  return running ? `Running ${running.path.at(-1) ?? running.node}` : "Running";
}
