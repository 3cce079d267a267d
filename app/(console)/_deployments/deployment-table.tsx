import Link from "next/link";
import type { DeploymentView } from "@/lib/protocol/deployments.ts";
import { CopyButton } from "../_ui/copy-button.tsx";
import { DeploymentPill } from "../_ui/status.tsx";

export interface DeploymentRow {
  view: DeploymentView;
  api: string;
}

const HEAD = "h-9.5 px-4 text-left text-small font-normal text-ink-2";
const CELL = "px-4";

export function DeploymentTable({ rows }: { rows: readonly DeploymentRow[] }) {
  return (
    <div className="overflow-hidden rounded-card border border-line">
      <table className="w-full table-fixed border-collapse">
        <thead>
          <tr className="border-b border-line">
            <th scope="col" className={`${HEAD} md:w-1/4`}>
              Name
            </th>
            <th scope="col" className={`${HEAD} w-28`}>
              Status
            </th>
            <th scope="col" className={`${HEAD} hidden xl:table-cell`}>
              Source
            </th>
            <th scope="col" className={`${HEAD} hidden lg:table-cell lg:w-1/3`}>
              API URL
            </th>
            <th scope="col" className={`${HEAD} w-15 sm:w-50`}>
              <span className="sr-only">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.view.name} {...row} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The whole row is a link: the name's, stretched over it. Buttons lie above. */
function Row({ view, api }: DeploymentRow) {
  const href = `/deployments/${encodeURIComponent(view.name)}`;
  const graphs = view.graphs.map((one) => one.graph).join(", ");
  return (
    <tr className="relative h-16 border-b border-line transition-colors last:border-b-0 hover:bg-surface">
      <td className={CELL}>
        <Link href={href} className="block truncate font-medium after:absolute after:inset-0" title={view.name}>
          {view.name}
        </Link>
        <div className="truncate text-small text-ink-3" title={graphs}>
          {graphs || view.problem || "No graphs"}
        </div>
      </td>
      <td className={CELL}>
        <DeploymentPill status={view.status} />
      </td>
      <td className={`${CELL} hidden xl:table-cell`}>
        <div className="truncate font-mono text-code" title={view.source}>
          {view.source}
        </div>
      </td>
      <td className={`${CELL} hidden lg:table-cell`}>
        <div className="truncate font-mono text-code text-ink-2" title={api}>
          {api}
        </div>
      </td>
      <td className="pr-3 sm:px-4">
        <Actions chat={`${href}/chat`} api={api} name={view.name} />
      </td>
    </tr>
  );
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
