import type { DeploymentView, GraphState } from "#lib/protocol/deployments.ts";
import { counted } from "#lib/rules/text/counted.ts";
import { CopyButton } from "../_ui/copy-button.tsx";
import { deploymentPath } from "../_ui/deployment-path.ts";
import { Moment } from "../_ui/moment.tsx";
import { Notice } from "../_ui/notice.tsx";
import { PageLink } from "../_ui/page-link.tsx";
import { ServerProblems } from "./servers.tsx";

/** Shows every problem that keeps a deployment from being ready, each with its fix. */
export function Problems({ view }: { view: DeploymentView }) {
  const broken = view.graphs.filter((one) => one.error);
  return (
    <>
      {view.problem ? (
        <Notice tone="bad" title={view.in_place ? "The configuration is invalid" : "The deployment is not running"}>
          <Quoted text={view.problem} label="Copy the problem" />
          <NextStep view={view} />
        </Notice>
      ) : (
        <WorkerProblem view={view} />
      )}
      <ServerProblems view={view} />
      {broken.length > 0 ? <BrokenGraphs broken={broken} view={view} /> : null}
      {view.unfenced === undefined ? null : (
        <Notice tone="waiting" title="Weak isolation">
          {view.unfenced}
        </Notice>
      )}
      {view.notes.length > 0 ? <Notes notes={view.notes} /> : null}
    </>
  );
}

/** Says how to load fixed code: in place by a restart of the server, other code by a new revision. */
function NextStep({ view: { name, in_place, newest } }: { view: DeploymentView }) {
  if (in_place || !newest) return "Fix the file, then restart the server.";
  const revision = `${deploymentPath(name)}/revisions/${newest.number}`;
  return (
    <>
      Fix it, then redeploy. See the log of{" "}
      <PageLink href={revision} className="text-accent underline">
        revision {newest.number}
      </PageLink>
      .
    </>
  );
}

function WorkerProblem({ view }: { view: DeploymentView }) {
  const { worker } = view;
  if (worker.status === "failed") {
    return (
      <Notice tone="bad" title="The worker has failed">
        <Quoted text={worker.reason} label="Copy the reason" />
        The server log has the details. <NextStep view={view} />
      </Notice>
    );
  }
  if (worker.status === "crashed") {
    return (
      <Notice tone="waiting" title="The worker has crashed and restarts">
        <Quoted text={worker.reason} label="Copy the reason" />
        Attempt {worker.attempt + 1} starts <Moment at={worker.retryAt} />. Runs wait until then.
      </Notice>
    );
  }
  return null;
}

function BrokenGraphs({ broken, view }: { broken: readonly GraphState[]; view: DeploymentView }) {
  const others = view.graphs.length - broken.length;
  return (
    <Notice tone={others > 0 ? "waiting" : "bad"} title={`${counted(broken.length, "graph")} did not load`}>
      <ul className="flex flex-col gap-2">
        {broken.map(({ graph, path, error }) => (
          <li key={graph}>
            <span className="font-medium text-ink">{graph}</span> in <code className="font-mono text-code">{path}</code>
            <Quoted text={`${error?.error}: ${error?.message.trim()}`} label={`Copy the error of ${graph}`} />
          </li>
        ))}
      </ul>
      {others > 0 ? `${others === 1 ? "The other graph works" : `The other ${others} graphs work`}. ` : null}
      <NextStep view={view} />
      {view.in_place ? (
        <>
          {" "}
          With <code className="font-mono text-code">npm run dev</code> it reloads automatically.
        </>
      ) : null}
    </Notice>
  );
}

function Notes({ notes }: Pick<DeploymentView, "notes">) {
  return (
    <Notice tone="neutral" title={`${counted(notes.length, "note")} on the configuration`}>
      <ul className="flex flex-col gap-1">
        {notes.map(({ setting, why }) => (
          <li key={setting}>
            <code className="font-mono text-code text-ink">{setting}</code>: {why}
          </li>
        ))}
      </ul>
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
