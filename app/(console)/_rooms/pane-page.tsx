"use client";

import type { ReactNode } from "react";
import type { Caller } from "../_auth/caller.ts";
import { CallerButton } from "../_auth/caller-button.tsx";
import { deploymentCrumbs, TopBar } from "../_shell/top-bar.tsx";
import { deploymentPath } from "../_ui/deployment-path.ts";
import { Reconnecting } from "./room-page.tsx";

/** The frame of a page whose panes stand side by side, fill the window, and scroll alone. On phones one pane is seen. */
export function PanePage({
  deployment,
  caller,
  title,
  path,
  actions,
  children,
}: {
  deployment: string;
  caller: Caller;
  title: string;
  /** The page's path below that of the deployment. */
  path: string;
  actions?: ReactNode;
  children: ReactNode;
}) {
  return (
    <>
      <TopBar crumbs={deploymentCrumbs(deployment, title)}>
        <Reconnecting />
        <CallerButton deployment={deployment} caller={caller} next={`${deploymentPath(deployment)}/${path}`} />
        {actions}
      </TopBar>
      <main id="main" tabIndex={-1} className="flex h-[calc(100dvh-3.25rem)] min-h-0 w-full outline-none">
        <h1 className="sr-only">{title}</h1>
        {children}
      </main>
    </>
  );
}
