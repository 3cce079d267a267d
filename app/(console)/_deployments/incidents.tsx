import type { Incident } from "#lib/protocol/deployments.ts";
import { Card } from "../_ui/card.tsx";
import { CopyButton } from "../_ui/copy-button.tsx";
import { Moment } from "../_ui/moment.tsx";

const SOURCES: Record<Incident["source"], string> = { run: "Run", worker: "Worker", load: "Load" };

export function Incidents({ incidents }: { incidents: readonly Incident[] }) {
  return (
    <Card title="Latest errors">
      {incidents.length === 0 ? (
        <p className="px-4 pb-4 text-ink-2">None: no run has failed and the worker has not crashed.</p>
      ) : (
        <ul className="px-4 pb-1">
          {grouped(incidents).map(({ incident, times }) => (
            <Row key={`${incident.at} ${incident.run ?? incident.source}`} incident={incident} times={times} />
          ))}
        </ul>
      )}
    </Card>
  );
}

/** The latest of several equal errors, and their number. */
interface IncidentGroup {
  incident: Incident;
  times: number;
}

function grouped(incidents: readonly Incident[]): IncidentGroup[] {
  const groups = new Map<string, IncidentGroup>();
  for (const incident of incidents) {
    const { source, graph, error } = incident;
    const key = JSON.stringify([source, graph, error.error, error.message]);
    groups.set(key, { incident: groups.get(key)?.incident ?? incident, times: (groups.get(key)?.times ?? 0) + 1 });
  }
  return [...groups.values()];
}

function Row({ incident: { at, source, error, graph, run }, times }: IncidentGroup) {
  const text = `${error.error}: ${error.message}`;
  return (
    <li className="flex min-h-14 items-center gap-4 border-b border-line py-2 last:border-b-0">
      <div className="min-w-0 flex-1">
        <div className="truncate" title={text}>
          <span className="font-medium text-bad">{error.error}</span> {error.message}
        </div>
        <div className="truncate text-small text-ink-3">
          {[SOURCES[source], graph, times > 1 ? `${times} times` : ""].filter(Boolean).join(" · ")}
          {run ? (
            <>
              {" · "}
              <span className="font-mono" title={run}>
                {run.slice(0, 8)}
              </span>
            </>
          ) : null}
        </div>
      </div>
      <div className="hidden shrink-0 text-small text-ink-2 sm:block">
        <Moment at={at} />
      </div>
      <CopyButton text={run ? `${text} (run ${run})` : text} label={`Copy the error ${error.error}`} />
    </li>
  );
}
