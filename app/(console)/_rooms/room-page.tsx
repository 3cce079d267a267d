"use client";

import type { ReactNode } from "react";
import type { Caller } from "../_auth/caller.ts";
import { CallerButton } from "../_auth/caller-button.tsx";
import { deploymentCrumbs, TopBar } from "../_shell/top-bar.tsx";
import { useLive } from "../_shell/live.tsx";
import type { Rows } from "../_table/use-page-list.ts";
import { deploymentPath } from "../_ui/deployment-path.ts";
import { LoadFailure } from "../_ui/notice.tsx";
import { Dot } from "../_ui/status.tsx";

/** The frame of a page with a table, which fills the window and scrolls alone. */
export function RoomPage({
  deployment,
  caller,
  title,
  path,
  count,
  actions,
  children,
}: {
  deployment: string;
  caller: Caller;
  title: string;
  /** The page's path below that of the deployment. */
  path: string;
  /** How many there are, in words. */
  count: string;
  actions?: ReactNode;
  children: ReactNode;
}) {
  const base = deploymentPath(deployment);
  return (
    <>
      <TopBar crumbs={deploymentCrumbs(deployment, title)}>
        <CallerButton deployment={deployment} caller={caller} next={`${base}/${path}`} />
      </TopBar>
      <main
        id="main"
        tabIndex={-1}
        className="flex h-[calc(100dvh-3.25rem)] min-h-120 w-full max-w-360 flex-col gap-3 px-4 py-4 outline-none md:px-6"
      >
        <div className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-2">
          <h1 className="text-title font-semibold">{title}</h1>
          <output className="text-ink-2">{count}</output>
          <Reconnecting />
          <div className="ml-auto flex flex-wrap items-center gap-2">{actions}</div>
        </div>
        {children}
      </main>
    </>
  );
}

/** Says that what the page shows may be out of date. */
export function Reconnecting() {
  if (useLive().link !== "reconnecting") return null;
  return (
    <output className="flex items-center gap-2 text-small text-waiting">
      <Dot tone="waiting" />
      Reconnecting…
    </output>
  );
}

/** Says that a list could not be read. */
export function ListFailure({
  what,
  rows,
}: {
  what: string;
  rows: Pick<Rows<unknown>, "failure" | "isLoaded" | "refresh">;
}) {
  if (rows.failure === undefined) return null;
  return (
    <LoadFailure what={what} onRetry={() => void rows.refresh()}>
      {rows.failure}
      {rows.isLoaded ? " The list may be out of date." : ""}
    </LoadFailure>
  );
}
