import { duration } from "@/lib/client/measures.ts";
import type { DeploymentView } from "@/lib/protocol/deployments.ts";
import { Moment } from "../_ui/moment.tsx";
import { DeploymentPill } from "../_ui/status.tsx";

export function Title({ view, now }: { view: DeploymentView; now: number }) {
  const { worker } = view;
  return (
    <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
      <h1 className="text-title font-semibold">{view.name}</h1>
      <DeploymentPill status={view.status} />
      <p className="text-ink-2">
        {worker.status === "ready" ? (
          <>
            serving since <Moment at={worker.since} now={now} /> · took {duration(worker.startedInMs)} ·{" "}
          </>
        ) : null}
        <span className="font-mono text-code">{view.source}</span>
      </p>
    </div>
  );
}
