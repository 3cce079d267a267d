"use client";

import { Check, Minus, X } from "lucide-react";
import type { ReactNode } from "react";
import { duration } from "#lib/client/measures.ts";
import { type BuildStep, buildSteps } from "#lib/protocol/build-steps.ts";
import type { Revision } from "#lib/protocol/revisions.ts";
import { hasFailed, isUnderway } from "#lib/rules/revisions/phases.ts";
import { stepWords } from "#lib/rules/revisions/words.ts";
import { isBuilt, type TypicalTimes } from "#lib/rules/revisions/typical-times.ts";
import { useNow } from "./use-now.ts";

type StageStatus = "done" | "running" | "failed" | "pending" | "unreached";

interface Stage {
  title: string;
  status: StageStatus;
  /** The duration in ms. */
  took?: number;
  note?: string;
  /** The typical duration in ms. */
  typical?: number;
}

/** Shows the steps of a revision until it is live, each with its duration. */
export function Timeline({ revision, typical }: { revision: Revision; typical: TypicalTimes | undefined }) {
  const now = useNow(isUnderway(revision.state));
  return (
    <ol aria-label="Steps" className="rounded-card border border-line px-4 py-4">
      {stagesOf(revision, typical, now).map((stage) => (
        <StageRow key={stage.title} stage={stage} />
      ))}
    </ol>
  );
}

function StageRow({ stage }: { stage: Stage }) {
  const { title, status, took, note, typical } = stage;
  const { word, ink, circle, icon } = STAGES[status];
  return (
    <li className="group relative flex gap-3 pb-4 last:pb-0">
      <span aria-hidden className="absolute top-5 bottom-0 left-[7.5px] w-px bg-line-strong group-last:hidden" />
      <span
        aria-hidden
        className={`relative mt-0.5 flex size-4 shrink-0 items-center justify-center rounded-full [&>svg]:size-3 ${circle}`}
      >
        {icon}
      </span>
      <div className="min-w-0 flex-1">
        <div className="flex items-baseline justify-between gap-3">
          <span className={ink}>
            {title}
            <span className="sr-only">: {word}</span>
          </span>
          <span className="text-ink-2">{took === undefined ? "" : duration(took)}</span>
        </div>
        <div className="text-small break-words text-ink-3">
          {isSlow(stage) ? `longer than usual (${duration(typical ?? 0)})` : note}
        </div>
      </div>
    </li>
  );
}

const EMPTY = "border border-line-strong bg-background text-ink-3";

const STAGES: Record<StageStatus, { word: string; ink: string; circle: string; icon?: ReactNode }> = {
  done: { word: "done", ink: "font-medium", circle: "bg-ok text-background", icon: <Check strokeWidth={3} /> },
  running: { word: "in progress", ink: "font-medium text-running", circle: "bg-running motion-safe:animate-breathe" },
  failed: {
    word: "failed",
    ink: "font-medium text-bad",
    circle: "bg-bad text-background",
    icon: <X strokeWidth={3} />,
  },
  pending: { word: "not started", ink: "text-ink-3", circle: EMPTY },
  unreached: { word: "not reached", ink: "text-ink-3", circle: EMPTY, icon: <Minus /> },
};

/** A step is slow when it takes this many times its typical duration. */
const SLOW = 2;

function isSlow({ status, took, typical }: Stage): boolean {
  return status === "running" && took !== undefined && typical !== undefined && took > Math.max(1000, typical * SLOW);
}

function stagesOf(revision: Revision, typical: TypicalTimes | undefined, now: number): Stage[] {
  const { state, created_at, steps, build_of, number } = revision;
  const first = steps[0];
  const over = !isUnderway(state);
  const queued: Stage = {
    title: "Queued",
    status: state === "queued" ? "running" : first ? "done" : "unreached",
    took: (first ? Date.parse(first.started_at) : over ? Date.parse(created_at) : now) - Date.parse(created_at),
    note: state === "queued" && revision.ahead ? `${revision.ahead} ahead` : undefined,
  };
  const reuses = build_of !== null && build_of !== number && !isBuilt(revision);
  const wanted = reuses ? buildSteps.filter((step) => step === "starting" || step === "checking") : buildSteps;
  const all = wanted.map((step): Stage => stageOf(revision, step, typical, now, over));
  const live: Stage = {
    title: "Live",
    status: revision.live_at !== null ? "done" : over ? "unreached" : "pending",
    note: reuses ? `reuses the build of revision ${build_of}` : undefined,
  };
  return [queued, ...all, live];
}

function stageOf(
  { state, steps, problem }: Revision,
  step: BuildStep,
  typical: TypicalTimes | undefined,
  now: number,
  over: boolean,
): Stage {
  const { title } = stepWords[step];
  const usual = typical?.steps[step];
  const known = steps.find((one) => one.step === step);
  if (!known)
    return {
      title,
      status: over ? "unreached" : "pending",
      ...(usual !== undefined && !over && { note: `usually ${duration(usual)}` }),
    };
  const failed = hasFailed(state) && problem?.step === step;
  const end = known.ended_at === null ? (over ? undefined : now) : Date.parse(known.ended_at);
  return {
    title,
    status: failed ? "failed" : known.ended_at !== null ? "done" : over ? "unreached" : "running",
    took: end === undefined ? undefined : Math.max(0, end - Date.parse(known.started_at)),
    note: known.note,
    typical: usual,
  };
}
