"use client";

import { SearchX } from "lucide-react";
import { useParams } from "next/navigation";
import type { ReactNode } from "react";
import { PageContent, TopBar } from "../_shell/top-bar.tsx";
import { ButtonLink } from "../_ui/button.tsx";
import { deploymentPath } from "../_ui/deployment-path.ts";
import { Empty } from "./empty.tsx";
import { crumbsOf } from "./room-page.tsx";

/** Replaces the page of something that the deployment does not have. */
export function Missing({
  what,
  list,
  lead = `All ${list.label.toLowerCase()}`,
  children,
}: {
  what: string;
  /** The page that leads on; `path` is below that of the deployment. */
  list: { label: string; path: string };
  /** The words of the link to that page. */
  lead?: string;
  /** The reasons why it may not be there. */
  children: ReactNode;
}) {
  const { deployment, ...ids } = useParams<Record<"deployment", string>>();
  const name = decodeURIComponent(deployment);
  const href = `${deploymentPath(name)}/${list.path}`;
  return (
    <>
      <TopBar crumbs={crumbsOf(name, [{ label: list.label, href }, { label: "Not found" }])} />
      <PageContent>
        <h1 className="sr-only">Not found</h1>
        <MissingNotice what={what} id={idOf(ids)} lead={<ButtonLink href={href}>{lead}</ButtonLink>}>
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

/** Returns the part of the address that names what is missing. */
function idOf(ids: Readonly<Record<string, unknown>>): string | undefined {
  const [id] = Object.values(ids);
  return typeof id === "string" ? decodeURIComponent(id) : undefined;
}
