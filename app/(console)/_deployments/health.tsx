import type { ReactNode } from "react";
import { duration, megabytes } from "#lib/client/measures.ts";
import type { Incident, WorkerState } from "#lib/protocol/deployments.ts";
import { Card } from "../_ui/card.tsx";
import { Moment } from "../_ui/moment.tsx";
import { Pill, type Tone } from "../_ui/status.tsx";

export const WORKER_STATUS: Record<WorkerState["status"], { tone: Tone; word: string }> = {
  starting: { tone: "running", word: "Starting" },
  ready: { tone: "ok", word: "Ready" },
  crashed: { tone: "waiting", word: "Restarting" },
  failed: { tone: "bad", word: "Failed" },
  asleep: { tone: "neutral", word: "Asleep" },
  stopped: { tone: "neutral", word: "Stopped" },
};

/** Shows the state of the worker, the process or processes that run the deployment's code. */
export function Health({ worker, incidents }: { worker: WorkerState; incidents: readonly Incident[] }) {
  const { tone, word } = isPartlyDown(worker) ? WORKER_STATUS.crashed : WORKER_STATUS[worker.status];
  const crashes = incidents.filter((one) => one.source === "worker");
  const last = crashes[0];
  return (
    <Card title="Worker" aside={<Pill tone={tone}>{word}</Pill>}>
      <dl className="px-4 pt-1 pb-3">
        <WorkerFacts worker={worker} />
        <Fact name="Recent crashes">
          {last ? (
            <>
              {crashes.length}, last <Moment at={last.at} />
            </>
          ) : (
            "none"
          )}
        </Fact>
        {last ? (
          <Fact name="Last crash">
            <span title={last.error.message}>{last.error.message}</span>
          </Fact>
        ) : null}
      </dl>
    </Card>
  );
}

function isPartlyDown(worker: WorkerState): boolean {
  return worker.status === "ready" && worker.processes !== undefined && worker.processes.down > 0;
}

function WorkerFacts({ worker }: { worker: WorkerState }) {
  switch (worker.status) {
    case "ready":
      return (
        <>
          {worker.processes ? (
            <Fact name="Processes">
              {worker.processes.ready} of {worker.processes.total} ready
            </Fact>
          ) : (
            <Fact name="Process id">
              <span className="font-mono text-code">{worker.pid}</span>
            </Fact>
          )}
          <Fact name="Running since">
            <Moment at={worker.since} />
          </Fact>
          <Fact name="Startup time">{duration(worker.startedInMs)}</Fact>
          <Fact name="Memory">{worker.memory === undefined ? "not measured yet" : megabytes(worker.memory)}</Fact>
          <Fact name="LangGraph">
            <span className="font-mono text-code">{worker.langgraph}</span>
          </Fact>
        </>
      );
    case "starting":
      return <Fact name="Attempt">{worker.attempt}</Fact>;
    case "crashed":
      return (
        <>
          <Fact name="Attempt">{worker.attempt}</Fact>
          <Fact name="Next start">
            <Moment at={worker.retryAt} />
          </Fact>
        </>
      );
    case "failed":
      return <Fact name="Reason">{worker.reason}</Fact>;
    case "asleep":
      return <Fact name="Next start">on the next request</Fact>;
    case "stopped":
      return null;
  }
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex h-9 items-center justify-between gap-4 border-b border-line last:border-b-0">
      <dt className="shrink-0 text-ink-2">{name}</dt>
      <dd className="min-w-0 truncate">{children}</dd>
    </div>
  );
}
