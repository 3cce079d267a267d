import { megabytes } from "#lib/client/measures.ts";
import type { RunCounts } from "#lib/engine/ports/ports.ts";
import type { WorkerState } from "#lib/protocol/deployments.ts";
import { grouped } from "#lib/rules/text/counted.ts";

export function Counters({ counts, worker }: { counts: RunCounts; worker: WorkerState }) {
  const ended = counts.success + counts.error + counts.interrupted;
  const memory = worker.status === "ready" ? worker.memory : undefined;
  return (
    <dl className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      <Figure label="Runs, last hour" value={grouped(ended)} aside={`${counts.success} succeeded`} />
      <Figure
        label="Errors, last hour"
        value={grouped(counts.error)}
        aside={ended === 0 ? "no runs yet" : share(counts.error, ended)}
        bad={counts.error > 0}
      />
      <Figure label="Running now" value={`${counts.running}`} aside={`${counts.pending} pending`} />
      <Figure
        label="Memory"
        value={memory === undefined ? "–" : megabytes(memory)}
        aside={memory === undefined ? "not measured yet" : workerWords(worker)}
      />
    </dl>
  );
}

/** `worker`, or `3 processes` where several are ready. */
function workerWords(worker: WorkerState): string {
  const processes = worker.status === "ready" ? worker.processes : undefined;
  if (!processes) return "worker";
  return processes.ready === 1 ? "1 process" : `${processes.ready} processes`;
}

/** `0.2 %` */
function share(part: number, whole: number): string {
  return part === 0 ? "0 %" : `${((part / whole) * 100).toFixed(1).replace(/\.0$/, "")} %`;
}

function Figure({ label, value, aside, bad = false }: { label: string; value: string; aside: string; bad?: boolean }) {
  return (
    <div className="min-w-0 rounded-card border border-line p-4">
      <dt className="text-small text-ink-2">{label}</dt>
      <dd className="mt-1.5 flex flex-wrap items-baseline gap-x-2.5">
        <span className={`text-title font-semibold tabular-nums ${bad ? "text-bad" : ""}`}>{value}</span>
        <span className="text-small text-ink-3">{aside}</span>
      </dd>
    </div>
  );
}
