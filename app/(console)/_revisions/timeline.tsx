"use client";

import { Check, Minus, X } from "lucide-react";
import { duration } from "@/lib/client/measures.ts";
import { type BuildStep, buildSteps } from "@/lib/protocol/build-steps.ts";
import type { Revision } from "@/lib/protocol/revisions.ts";
import { isUnderway } from "@/lib/rules/revisions/state.ts";
import { hasFailed, stepWords } from "@/lib/rules/revisions/words.ts";
import { isBuilt, type TypicalTimes } from "@/lib/rules/revisions/typical-times.ts";
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
        <li key={stage.title} className="group relative flex gap-3 pb-4 last:pb-0">
          <span aria-hidden className="absolute top-5 bottom-0 left-[7.5px] w-px bg-line-strong group-last:hidden" />
          <StageIcon status={stage.status} />
          <div className="min-w-0 flex-1">
            <div className="flex items-baseline justify-between gap-3">
              <span className={INK[stage.status]}>
                {stage.title}
                <span className="sr-only">: {WORD[stage.status]}</span>
              </span>
              <span className="text-ink-2">{stage.took === undefined ? "" : duration(stage.took)}</span>
            </div>
            <div className="text-small break-words text-ink-3">
              {isSlow(stage) ? `longer than usual (${duration(stage.typical ?? 0)})` : stage.note}
            </div>
          </div>
        </li>
      ))}
    </ol>
  );
}

const INK: Record<StageStatus, string> = {
  done: "font-medium",
  running: "font-medium text-running",
  failed: "font-medium text-bad",
  pending: "text-ink-3",
  unreached: "text-ink-3",
};

const WORD: Record<StageStatus, string> = {
  done: "done",
  running: "in progress",
  failed: "failed",
  pending: "not started",
  unreached: "not reached",
};

function StageIcon({ status }: { status: StageStatus }) {
  const round = "relative mt-0.5 flex size-4 shrink-0 items-center justify-center rounded-full [&>svg]:size-3";
  switch (status) {
    case "done":
      return (
        <span aria-hidden className={`${round} bg-ok text-background`}>
          <Check strokeWidth={3} />
        </span>
      );
    case "failed":
      return (
        <span aria-hidden className={`${round} bg-bad text-background`}>
          <X strokeWidth={3} />
        </span>
      );
    case "running":
      return <span aria-hidden className={`${round} bg-running motion-safe:animate-breathe`} />;
    case "unreached":
      return (
        <span aria-hidden className={`${round} border border-line-strong bg-background text-ink-3`}>
          <Minus />
        </span>
      );
    case "pending":
      return <span aria-hidden className={`${round} border border-line-strong bg-background`} />;
  }
}

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
