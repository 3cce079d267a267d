import { count } from "@/lib/client/measures.ts";
import type { DeploymentView, GraphState, WorkerState } from "@/lib/protocol/deployments.ts";
import { CopyButton } from "../_ui/copy-button.tsx";
import { Moment } from "../_ui/moment.tsx";
import { Notice } from "../_ui/notice.tsx";

/** All that keeps a deployment from being ready, each with what to do about it. */
export function Problems({ view, now }: { view: DeploymentView; now: number }) {
  const broken = view.graphs.filter((one) => one.error);
  return (
    <>
      {view.problem ? (
        <Notice tone="bad" title="The configuration could not be used">
          <Quoted text={view.problem} label="Copy the problem" />
          Mend the file, then start the server again.
        </Notice>
      ) : (
        <WorkerTrouble worker={view.worker} now={now} />
      )}
      {broken.length > 0 ? <BrokenGraphs broken={broken} total={view.graphs.length} /> : null}
    </>
  );
}

function WorkerTrouble({ worker, now }: { worker: WorkerState; now: number }) {
  if (worker.status === "failed") {
    return (
      <Notice tone="bad" title="The worker could not be kept running">
        <Quoted text={worker.reason} label="Copy the reason" />
        The server log has the whole story. Mend the cause, then start the server again.
      </Notice>
    );
  }
  if (worker.status === "crashed") {
    return (
      <Notice tone="waiting" title="The worker ended unasked and is started again">
        <Quoted text={worker.reason} label="Copy the reason" />
        Attempt {worker.attempt + 1} starts <Moment at={worker.retryAt} now={now} />. Runs wait until then.
      </Notice>
    );
  }
  return null;
}

function BrokenGraphs({ broken, total }: { broken: readonly GraphState[]; total: number }) {
  const others = total - broken.length;
  return (
    <Notice tone={others > 0 ? "waiting" : "bad"} title={`${count(broken.length, "graph")} did not load`}>
      <ul className="flex flex-col gap-2">
        {broken.map(({ graph, path, error }) => (
          <li key={graph}>
            <span className="font-medium text-ink">{graph}</span> in <code className="font-mono text-code">{path}</code>
            <Quoted text={`${error?.error}: ${error?.message.trim()}`} label={`Copy the error of ${graph}`} />
          </li>
        ))}
      </ul>
      {others > 0 ? `${others === 1 ? "The other graph serves" : `The other ${others} graphs serve`}. ` : null}
      Mend the file and start the server again; <code className="font-mono text-code">npm run dev</code> loads it again
      by itself.
    </Notice>
  );
}

function Quoted({ text, label }: { text: string; label: string }) {
  return (
    <div className="my-2 flex items-start gap-2">
      <pre className="min-w-0 flex-1 font-mono text-code break-words whitespace-pre-wrap text-ink">{text}</pre>
      <CopyButton text={text} label={label} />
    </div>
  );
}
