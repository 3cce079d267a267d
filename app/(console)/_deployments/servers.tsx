import type { DeploymentServer, DeploymentView } from "#lib/protocol/deployments.ts";
import { counted } from "#lib/rules/text/counted.ts";
import { Card } from "../_ui/card.tsx";
import { Notice } from "../_ui/notice.tsx";
import { Pill, type Tone } from "../_ui/status.tsx";
import { WORKER_STATUS } from "./health.tsx";

/** Shows the servers that share a deployment, each with what it serves; nothing for a server alone. */
export function Servers({ view: { servers } }: { view: DeploymentView }) {
  if (servers.length === 0) return null;
  return (
    <Card title="Servers" aside={<span className="text-ink-2">{servers.length}</span>}>
      <ul className="px-4 pt-1 pb-3">
        {servers.map((server) => (
          <Server key={server.id} server={server} />
        ))}
      </ul>
    </Card>
  );
}

function Server({ server: { host, roles, revision, status, problem } }: { server: DeploymentServer }) {
  const { tone, word } = problem === undefined ? WORKER_STATUS[status] : wordsOfProblem(revision);
  return (
    <li className="flex min-h-9 items-center gap-x-4 border-b border-line py-1.5 last:border-b-0 sm:grid sm:grid-cols-[minmax(0,1fr)_8rem_6rem_6rem]">
      <span className="min-w-0 flex-1 truncate font-mono text-code" title={host}>
        {host}
      </span>
      <span className="text-ink-2">{roles.join(", ")}</span>
      <span className="text-ink-2">{revision === null ? "–" : `revision ${revision}`}</span>
      <Pill tone={tone}>{word}</Pill>
    </li>
  );
}

/** A server that could not get the live revision either serves an earlier one, or nothing. */
function wordsOfProblem(revision: number | null): { tone: Tone; word: string } {
  return revision === null ? { tone: "bad", word: "Failed" } : { tone: "waiting", word: "Behind" };
}

/** Says that a revision waits in vain, or which of the servers do not serve a deployment as they should, and why. */
export function ServerProblems({ view }: { view: DeploymentView }) {
  const isBuilt = view.servers.length === 0 || view.servers.some(({ roles }) => roles.includes("build"));
  if (view.newest?.state !== "queued" || isBuilt || view.in_place) return <Troubled view={view} />;
  return (
    <Notice tone="waiting" title={`Revision ${view.newest.number} waits for a server that builds`}>
      None of the {counted(view.servers.length, "server")} has the role{" "}
      <code className="font-mono text-code">build</code>: start one with it in{" "}
      <code className="font-mono text-code">GRAPHLIB_ROLES</code>.
    </Notice>
  );
}

function Troubled({ view: { servers, live } }: { view: DeploymentView }) {
  const troubled = servers.filter(({ problem }) => problem !== undefined);
  if (troubled.length === 0 || live === null) return null;
  const others = servers.length - troubled.length;
  return (
    <Notice
      tone={others > 0 ? "waiting" : "bad"}
      title={`${troubled.length} of ${counted(servers.length, "server")} cannot serve revision ${live.number}`}
    >
      <ul className="flex flex-col gap-1">
        {troubled.map(({ id, host, roles, problem }) => (
          <li key={id} className="wrap-anywhere">
            <span className="font-mono text-code text-ink">{host}</span> ({roles.join(", ")}): {problem}
          </li>
        ))}
      </ul>
      <p className="mt-2">
        {others > 0 ? "Runs go to the others meanwhile. " : ""}
        It is tried again every minute.
      </p>
    </Notice>
  );
}
