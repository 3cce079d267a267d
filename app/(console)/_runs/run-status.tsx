import type { RunStatus } from "#lib/protocol/runs.ts";
import { Pill, type Tone } from "../_ui/status.tsx";

export const RUN_STATUS: Record<RunStatus, { tone: Tone; word: string }> = {
  pending: { tone: "neutral", word: "Pending" },
  running: { tone: "running", word: "Running" },
  success: { tone: "ok", word: "Success" },
  error: { tone: "bad", word: "Failed" },
  // A run that stops to ask a person ends as `success`. This one was cancelled (docs/api/runs.md).
  interrupted: { tone: "neutral", word: "Cancelled" },
  timeout: { tone: "bad", word: "Timed out" },
};

export function RunPill({ status }: { status: RunStatus }) {
  const { tone, word } = RUN_STATUS[status];
  return <Pill tone={tone}>{word}</Pill>;
}

const TRIGGERS: Readonly<Record<string, string>> = {
  api: "API",
  chat: "Chat",
  studio: "Studio",
  console: "Console",
  a2a: "A2A",
  cron: "Cron",
};

export const triggerWord = (trigger: string): string =>
  Object.hasOwn(TRIGGERS, trigger) ? (TRIGGERS[trigger] ?? trigger) : trigger;

export const triggerWords: readonly (readonly [string, string])[] = Object.entries(TRIGGERS);
