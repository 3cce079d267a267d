import { MessageCircle } from "lucide-react";
import type { DeploymentView } from "#lib/protocol/deployments.ts";
import { buildSteps } from "#lib/protocol/build-steps.ts";
import { failedRevision, isUnderway } from "#lib/rules/revisions/phases.ts";
import { ButtonLink } from "../_ui/button.tsx";
import { CopyButton } from "../_ui/copy-button.tsx";
import { deploymentPath } from "../_ui/deployment-path.ts";
import { Moment } from "../_ui/moment.tsx";
import { PageLink } from "../_ui/page-link.tsx";
import { DeploymentPill, Pill } from "../_ui/status.tsx";
import { HeadCell, Row, Table } from "../_ui/table.tsx";

export interface DeploymentRow {
  view: DeploymentView;
  api: string;
}

export function DeploymentTable({ rows }: { rows: readonly DeploymentRow[] }) {
  return (
    <Table
      head={
        <>
          {/* Name and source share the width that the other columns leave. */}
          <HeadCell>Name</HeadCell>
          <HeadCell className="hidden w-38 sm:table-cell">Status</HeadCell>
          <HeadCell className="hidden lg:table-cell">Source</HeadCell>
          <HeadCell className="hidden w-28 xl:table-cell">Deployed</HeadCell>
          <HeadCell className="w-15 sm:w-24 lg:w-44">
            <span className="sr-only">Actions</span>
          </HeadCell>
        </>
      }
    >
      {rows.map((row) => (
        <DeploymentRowView key={row.view.name} {...row} />
      ))}
    </Table>
  );
}

/** A row. The link of the name covers all of it, and the buttons lie above that. */
function DeploymentRowView({ view, api }: DeploymentRow) {
  const href = deploymentPath(view.name);
  const graphs = view.graphs.map((one) => one.graph).join(", ");
  return (
    <Row>
      <td className="px-4">
        <PageLink href={href} className="block truncate font-medium after:absolute after:inset-0" title={view.name}>
          {view.name}
        </PageLink>
        <div className="truncate text-small text-ink-3 max-sm:hidden" title={graphs}>
          {graphs || view.problem || "No graphs"}
        </div>
        {/* On a phone, the status is below the name, which has the whole width. */}
        <div className="mt-1 sm:hidden">
          <StatusOf view={view} />
        </div>
      </td>
      <td className="hidden px-4 sm:table-cell">
        <StatusOf view={view} />
      </td>
      <td className="hidden px-4 lg:table-cell">
        <Source view={view} />
      </td>
      <td className="hidden px-4 text-ink-2 xl:table-cell">
        <Deployed view={view} />
      </td>
      <td className="pr-3 sm:px-4">
        <Actions chat={view.live ? `${href}/chat` : undefined} api={api} name={view.name} />
      </td>
    </Row>
  );
}

/** Shows the status. If a newer revision has failed, it names the one that is still live, too. */
function StatusOf({ view }: { view: DeploymentView }) {
  if (failedRevision(view) === undefined) return <DeploymentPill status={view.status} />;
  return <Pill tone="bad">{`Failed · ${view.live?.number} live`}</Pill>;
}

function Source({ view: { source, live } }: { view: DeploymentView }) {
  const { commit } = live ?? {};
  const words = commit ? `${source} · ${commit.sha.slice(0, 7)}` : source;
  return (
    <>
      <div className="truncate font-mono text-code" title={words}>
        {words}
      </div>
      {commit ? (
        <div className="truncate text-small text-ink-3" title={commit.message}>
          {commit.message}
        </div>
      ) : null}
    </>
  );
}

function Deployed({ view: { live, newest } }: { view: DeploymentView }) {
  if (newest && isUnderway(newest.state)) {
    const step = buildSteps.findIndex((one) => one === newest.state);
    return step < 0 ? "queued" : `step ${step + 1} of ${buildSteps.length}`;
  }
  return live?.since ? <Moment at={live.since} /> : "never";
}

/** Shows the actions with text on wide screens, else as icons. */
function Actions({ chat, api, name }: { chat: string | undefined; api: string; name: string }) {
  const copy = `Copy URL of ${name}`;
  return (
    <>
      <div className="hidden items-center justify-end lg:flex">
        {/* A deployment that was never live has no chat. */}
        {chat === undefined ? null : (
          <ButtonLink variant="quiet" href={chat} aria-label={`Chat with ${name}`} className="relative z-1">
            Chat
          </ButtonLink>
        )}
        <CopyButton text={api} label={copy} variant="quiet">
          Copy URL
        </CopyButton>
      </div>
      <div className="flex items-center justify-end gap-1 lg:hidden">
        {chat === undefined ? null : (
          <PageLink
            href={chat}
            aria-label={`Chat with ${name}`}
            title={`Chat with ${name}`}
            className="relative z-1 inline-flex size-8 items-center justify-center rounded-control text-ink-3 hover:bg-well hover:text-ink max-sm:hidden pointer-coarse:size-10"
          >
            <MessageCircle className="size-4" />
          </PageLink>
        )}
        <CopyButton text={api} label={copy} variant="icon" />
      </div>
    </>
  );
}
