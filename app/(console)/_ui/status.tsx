import type { DeploymentView } from "#lib/protocol/deployments.ts";
import type { RevisionState } from "#lib/protocol/revisions.ts";
import { hasFailed, isUnderway } from "#lib/rules/revisions/phases.ts";

export type Tone = "ok" | "running" | "waiting" | "bad" | "neutral";

const PILL: Record<Tone, string> = {
  ok: "bg-ok-soft text-ok",
  running: "bg-running-soft text-running",
  waiting: "bg-waiting-soft text-waiting",
  bad: "bg-bad-soft text-bad",
  neutral: "bg-well text-ink-2",
};

const DOT: Record<Tone, string> = {
  ok: "bg-ok",
  running: "bg-running motion-safe:animate-breathe",
  waiting: "bg-waiting",
  bad: "bg-bad",
  neutral: "bg-ink-3",
};

/** A coloured dot. It stands beside a word, because colour alone is not accessible. */
export function Dot({ tone }: { tone: Tone }) {
  return <span aria-hidden className={`size-1.75 shrink-0 rounded-full ${DOT[tone]}`} />;
}

export function Pill({ tone, children }: { tone: Tone; children: string }) {
  return (
    <span
      className={`inline-flex h-5.5 w-fit shrink-0 items-center gap-1.5 rounded-full px-2.5 text-small font-medium whitespace-nowrap ${PILL[tone]}`}
    >
      <Dot tone={tone} />
      {children}
    </span>
  );
}

export const DEPLOYMENT_STATUS: Record<DeploymentView["status"], { tone: Tone; word: string }> = {
  provisioning: { tone: "running", word: "Starting" },
  ready: { tone: "ok", word: "Ready" },
  updating: { tone: "running", word: "Updating" },
  degraded: { tone: "waiting", word: "Degraded" },
  failed: { tone: "bad", word: "Failed" },
  stopped: { tone: "neutral", word: "Stopped" },
  deleting: { tone: "neutral", word: "Deleting" },
};

export function DeploymentPill({ status }: { status: DeploymentView["status"] }) {
  const { tone, word } = DEPLOYMENT_STATUS[status];
  return <Pill tone={tone}>{word}</Pill>;
}

export function toneOf(state: RevisionState): Tone {
  if (state === "live") return "ok";
  if (hasFailed(state)) return state === "crashed" ? "waiting" : "bad";
  return isUnderway(state) ? "running" : "neutral";
}
