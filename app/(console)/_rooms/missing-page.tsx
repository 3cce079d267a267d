import { SearchX } from "lucide-react";
import type { ReactNode } from "react";
import { deploymentCrumbs, PageContent, TopBar } from "../_shell/top-bar.tsx";
import { ButtonLink } from "../_ui/button.tsx";
import { deploymentPath } from "../_ui/deployment-path.ts";
import { Empty } from "./empty.tsx";

export interface MissingProps {
  what: string;
  /** The page that leads on; `path` is below that of the deployment. */
  list: { label: string; path: string };
  /** The words of the link to that page. */
  lead?: string;
  /** The reasons why it may not be there. */
  children: ReactNode;
}

/** Says in place of a page that what its address names is not there. Drawn by the server, it takes no code of the browser. */
export function MissingPage({
  deployment,
  id,
  what,
  list,
  lead = `All ${list.label.toLowerCase()}`,
  children,
}: MissingProps & {
  deployment: string;
  /** The id or name that was asked for. */
  id: string | undefined;
}) {
  const href = `${deploymentPath(deployment)}/${list.path}`;
  return (
    <>
      <TopBar crumbs={deploymentCrumbs(deployment, "Not found", { label: list.label, href })} />
      <PageContent>
        <h1 className="sr-only">Not found</h1>
        <MissingNotice what={what} id={id} lead={<ButtonLink href={href}>{lead}</ButtonLink>}>
          {children}
        </MissingNotice>
      </PageContent>
    </>
  );
}

/** Says that something is not there. */
export function MissingNotice({
  what,
  id,
  lead,
  children,
}: {
  what: string;
  /** The id or name that was asked for. */
  id?: string | undefined;
  /** A button that leads on. */
  lead: ReactNode;
  children: ReactNode;
}) {
  return (
    <Empty icon={<SearchX />} title={`There is no such ${what}`} action={lead}>
      {id === undefined ? null : <code className="mb-1 block font-mono text-code wrap-anywhere text-ink-3">{id}</code>}
      <p>{children}</p>
    </Empty>
  );
}
