"use client";

import { MessageCircle, RotateCw, SlidersHorizontal } from "lucide-react";
import { type ReactNode, useState } from "react";
import { control } from "#lib/client/control.ts";
import { duration } from "#lib/client/measures.ts";
import type { Revision, RevisionChanges } from "#lib/protocol/revisions.ts";
import { hasFailed, isUnderway } from "#lib/rules/revisions/phases.ts";
import { sourceWords, stateWord, triggerWords } from "#lib/rules/revisions/words.ts";
import { totalTime, type TypicalTimes } from "#lib/rules/revisions/typical-times.ts";
import { LazyLogView } from "../_log/lazy-log-view.tsx";
import { useLogLines } from "../_log/use-log-lines.ts";
import { useFollow } from "../_shell/live.tsx";
import { deploymentCrumbs, PageContent, TopBar } from "../_shell/top-bar.tsx";
import { Button, ButtonLink } from "../_ui/button.tsx";
import { CopyField } from "../_ui/copy-field.tsx";
import { deploymentPath } from "../_ui/deployment-path.ts";
import { Moment, RenderTime } from "../_ui/moment.tsx";
import { Notice } from "../_ui/notice.tsx";
import { Pill, toneOf } from "../_ui/status.tsx";
import { ChangesCard } from "./changes-card.tsx";
import { ProblemNotice } from "./problem-notice.tsx";
import { RollBack } from "./roll-back.tsx";
import { Timeline } from "./timeline.tsx";
import { useNow } from "./use-now.ts";
import { useCreateRevision } from "./use-create-revision.ts";
import { useTabIcon } from "./use-tab-icon.ts";

export interface ProgressProps {
  /** The revision at the time when the page was rendered. */
  initial: Revision;
  /** The number of the live revision. */
  live: number | null;
  typical: TypicalTimes | undefined;
  /** The changes since another revision; null for the first one. */
  changes: RevisionChanges | null;
  /** The numbers of the other revisions. */
  others: readonly number[];
  api: string;
  /** True if a push to the repository deploys it. */
  deploysPushes: boolean;
}

/** Shows a revision from the queue until it is live or has failed. */
export function Progress(props: ProgressProps) {
  const { initial, live, typical, changes, others, api, deploysPushes } = props;
  const [revision, setRevision] = useState(initial);
  const { deployment, number, state } = revision;
  const base = deploymentPath(deployment);
  const log = useLogLines(`${base}/revisions/${number}/log`);
  useFollow({ deployment, revision: number, log: "build", after: -1 }, { onRevision: setRevision, onLines: log.add });
  useTabIcon(toneOf(state));
  const { create, creating, error } = useCreateRevision(deployment);

  const redeployButton = (
    <Button
      variant={hasFailed(state) ? "primary" : "outline"}
      disabled={creating}
      onClick={() => create(() => control.redeploy(deployment))}
    >
      <RotateCw /> {hasFailed(state) ? "Retry" : "Redeploy"}
    </Button>
  );
  return (
    <>
      <TopBar crumbs={deploymentCrumbs(deployment, `Revision ${number}`)}>
        {isUnderway(state) ? (
          <Button disabled={creating} onClick={() => create(() => control.cancel(deployment, number))}>
            Cancel
          </Button>
        ) : state === "replaced" && revision.build_of !== null ? (
          <RollBack deployment={deployment} revision={revision} deploysPushes={deploysPushes} />
        ) : state === "live" ? (
          <ButtonLink variant="primary" href={`${base}/chat`}>
            <MessageCircle /> Open chat
          </ButtonLink>
        ) : null}
      </TopBar>
      <PageContent>
        <div className="flex flex-col gap-5">
          <Heading revision={revision} live={live} typical={typical} />
          {error === undefined ? null : <Notice tone="bad" title={error} />}
          {revision.problem && state !== "replaced" ? (
            <ProblemNotice
              problem={revision.problem}
              action={
                <>
                  {redeployButton}
                  <ButtonLink href={`${base}/settings#environment`}>
                    <SlidersHorizontal /> Edit environment
                  </ButtonLink>
                </>
              }
            />
          ) : null}
          {state === "live" ? <CopyField label="API URL" value={api} /> : null}
          {state === "cancelled" || state === "skipped" ? (
            <Notice
              tone="neutral"
              title={state === "cancelled" ? "This build was cancelled" : "Skipped: a newer revision was queued"}
              action={redeployButton}
            />
          ) : null}
          <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,5fr)_minmax(0,11fr)]">
            <div className="flex flex-col gap-4">
              <Timeline revision={revision} typical={typical} />
              {changes ? <ChangesCard changes={changes} others={others} /> : null}
            </div>
            <LazyLogView
              log={log}
              title="Build log"
              file={`${deployment}-revision-${number}.log`}
              empty={
                isUnderway(state) ? "The build log starts with the first step." : "This revision has no build log."
              }
              className="h-[28rem] lg:h-[34rem]"
            />
          </div>
        </div>
      </PageContent>
    </>
  );
}

function Heading({
  revision,
  live,
  typical,
}: {
  revision: Revision;
  live: number | null;
  typical: TypicalTimes | undefined;
}) {
  const { number, state, trigger, commit, source, live_at, created_at, steps } = revision;
  const underway = isUnderway(state);
  const now = useNow(underway);
  const startedAt = steps[0] ? Date.parse(steps[0].started_at) : now;
  const took = underway ? now - startedAt : totalTime(revision);
  const about = underway && typical ? ` of about ${duration(typical.total)}` : "";
  const liveText =
    live !== null && live !== number && (underway || hasFailed(state)) ? `Revision ${live} keeps serving` : undefined;
  return (
    <div>
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <h1 className="text-title font-semibold">
          {underway ? "Building revision" : "Revision"} {number}
        </h1>
        {/* Screen readers announce the state when it changes. */}
        <output aria-live="polite">
          <Pill tone={toneOf(state)}>{stateWord(revision)}</Pill>
        </output>
      </div>
      <p className="mt-1 text-ink-2">
        <DotSeparated>
          {took > 0 || underway ? `${underway ? "" : "took "}${duration(Math.max(1, took))}${about}` : null}
          <RenderTime now={now}>
            {live_at === null ? "created" : "live"} <Moment at={live_at ?? created_at} />
          </RenderTime>
          {triggerWords[trigger]}
          <span className="font-mono text-code wrap-anywhere">
            {sourceWords(source)}
            {commit ? ` · ${commit.sha.slice(0, 7)}` : ""}
            {commit?.dirty ? " with changes" : ""}
          </span>
          {commit ? `“${commit.message}”` : null}
          {liveText === undefined ? null : <span className="font-medium text-ink">{liveText}</span>}
        </DotSeparated>
      </p>
      {underway ? <ProgressBar part={typical ? took / typical.total : undefined} /> : null}
    </div>
  );
}

/** Joins the non-empty children with dots. */
function DotSeparated({ children }: { children: ReactNode[] }) {
  return children
    .filter((one) => one !== null && one !== "")
    .map((one, place) => (
      // oxlint-disable-next-line react/no-array-index-key
      <span key={place}>
        {place > 0 ? " · " : ""}
        {one}
      </span>
    ));
}

/** The largest part of the bar that is filled before the end, because the typical time is only an estimate. */
const MOST_SHOWN = 0.97;

function ProgressBar({ part }: { part: number | undefined }) {
  return (
    <div aria-hidden className="mt-4 h-1 overflow-hidden rounded-full bg-well">
      <div
        className={`h-full rounded-full bg-running ${part === undefined ? "w-1/3 motion-safe:animate-breathe" : "transition-[width]"}`}
        style={part === undefined ? undefined : { width: `${Math.min(MOST_SHOWN, part) * 100}%` }}
      />
    </div>
  );
}
