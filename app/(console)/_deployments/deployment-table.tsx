import Link from "next/link";
import type { DeploymentView } from "@/lib/protocol/deployments.ts";
import { buildSteps } from "@/lib/protocol/build-steps.ts";
import { isUnderway } from "@/lib/rules/revision-state.ts";
import { hasFailed } from "@/lib/rules/revision-words.ts";
import { CopyButton } from "../_ui/copy-button.tsx";
import { Moment } from "../_ui/moment.tsx";
import { DeploymentPill, Pill } from "../_ui/status.tsx";
import { HeadCell, Row, Table } from "../_ui/table.tsx";

export interface DeploymentRow {
  view: DeploymentView;
  api: string;
}

const CELL = "px-4";

export function DeploymentTable({ rows, now }: { rows: readonly DeploymentRow[]; now: number }) {
  return (
    <Table
      head={
        <>
          <HeadCell className="md:w-1/4">Name</HeadCell>
          <HeadCell className="w-38">Status</HeadCell>
          <HeadCell className="hidden lg:table-cell">Source</HeadCell>
          <HeadCell className="hidden w-36 xl:table-cell">Deployed</HeadCell>
          <HeadCell className="w-15 sm:w-50">
            <span className="sr-only">Actions</span>
          </HeadCell>
        </>
      }
    >
      {rows.map((row) => (
        <RowOf key={row.view.name} {...row} now={now} />
      ))}
    </Table>
  );
}

/** The whole row is a link: the name's, stretched over it. Buttons lie above. */
function RowOf({ view, api, now }: DeploymentRow & { now: number }) {
  const href = `/deployments/${encodeURIComponent(view.name)}`;
  const graphs = view.graphs.map((one) => one.graph).join(", ");
  return (
    <Row>
      <td className={CELL}>
        <Link href={href} className="block truncate font-medium after:absolute after:inset-0" title={view.name}>
          {view.name}
        </Link>
        <div className="truncate text-small text-ink-3" title={graphs}>
          {graphs || view.problem || "No graphs"}
        </div>
      </td>
      <td className={CELL}>
        <StatusOf view={view} />
      </td>
      <td className={`${CELL} hidden lg:table-cell`}>
        <Source view={view} />
      </td>
      <td className={`${CELL} hidden text-ink-2 xl:table-cell`}>
        <Deployed view={view} now={now} />
      </td>
      <td className="pr-3 sm:px-4">
        <Actions chat={`${href}/chat`} api={api} name={view.name} />
      </td>
    </Row>
  );
}

/** A newer revision that failed is told beside what serves. */
function StatusOf({ view: { status, live, newest } }: { view: DeploymentView }) {
  if (live && newest && newest.number !== live.number && hasFailed(newest.state)) {
    return <Pill tone="bad">{`Failed · ${live.number} serves`}</Pill>;
  }
  return <DeploymentPill status={status} />;
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

function Deployed({ view: { live, newest }, now }: { view: DeploymentView; now: number }) {
  if (newest && isUnderway(newest.state)) {
    const step = buildSteps.findIndex((one) => one === newest.state);
    return step < 0 ? "waiting" : `step ${step + 1} of ${buildSteps.length}`;
  }
  return live?.since ? <Moment at={live.since} now={now} /> : "never";
}

/** In words where there is room for them, else as icons. */
function Actions({ chat, api, name }: { chat: string; api: string; name: string }) {
  const copy = `Copy URL of ${name}`;
  return (
    <>
      <div className="hidden items-center justify-end sm:flex">
        <Link
          href={chat}
          className="relative z-1 inline-flex h-8 items-center rounded-control px-3 font-medium text-ink-2 hover:bg-well hover:text-ink pointer-coarse:h-10"
        >
          Chat
        </Link>
        <CopyButton text={api} label={copy} look="quiet">
          Copy URL
        </CopyButton>
      </div>
      <div className="flex justify-end sm:hidden">
        <CopyButton text={api} label={copy} look="icon" />
      </div>
    </>
  );
}
