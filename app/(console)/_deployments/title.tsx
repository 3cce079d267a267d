import { duration } from "#lib/client/measures.ts";
import type { DeploymentView } from "#lib/protocol/deployments.ts";
import { failedRevision } from "#lib/rules/revisions/phases.ts";
import { Moment } from "../_ui/moment.tsx";
import { DeploymentPill, Pill } from "../_ui/status.tsx";

export function Title({ view }: { view: DeploymentView }) {
  const { name, status, worker, live, source } = view;
  const failed = failedRevision(view);
  return (
    <div>
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <h1 className="min-w-0 text-title font-semibold break-words">{name}</h1>
        <DeploymentPill status={status} />
        {failed === undefined ? null : <Pill tone="bad">{`Revision ${failed} failed`}</Pill>}
      </div>
      <p className="mt-1 text-ink-2">
        {live ? `revision ${live.number} · ` : null}
        {worker.status === "ready" ? (
          <>
            running since <Moment at={worker.since} /> · started in {duration(worker.startedInMs)} ·{" "}
          </>
        ) : null}
        <span className="font-mono text-code wrap-anywhere">
          {source}
          {live?.commit ? ` · ${live.commit.sha.slice(0, 7)}` : null}
        </span>
        {live?.commit ? ` · “${live.commit.message}”` : null}
      </p>
    </div>
  );
}
