"use client";

import type { ReactNode } from "react";
import type { Caller } from "../_auth/caller.ts";
import { CallerButton } from "../_auth/caller-button.tsx";
import { deploymentCrumbs, PageContent, TopBar } from "../_shell/top-bar.tsx";
import { ButtonLink } from "../_ui/button.tsx";
import { CopyButton } from "../_ui/copy-button.tsx";
import { deploymentPath } from "../_ui/deployment-path.ts";
import { LoadFailure } from "../_ui/notice.tsx";
import { Loading } from "../_ui/skeleton.tsx";
import { LazyMissingNotice } from "./lazy-missing.tsx";
import { Reconnecting } from "./room-page.tsx";

/** The frame of the page of one thread or run. */
export function DetailPage({
  deployment,
  caller,
  list,
  title,
  id,
  status,
  actions,
  children,
}: {
  deployment: string;
  caller: Caller;
  /** The page with all of them; `path` is below that of the deployment. */
  list: { label: string; path: string };
  title: string;
  id: string;
  status?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) {
  const href = `${deploymentPath(deployment)}/${list.path}`;
  return (
    <>
      <TopBar crumbs={deploymentCrumbs(deployment, title, { label: list.label, href })}>
        <CallerButton deployment={deployment} caller={caller} next={`${href}/${encodeURIComponent(id)}`} />
      </TopBar>
      <PageContent>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <h1 className="max-w-full min-w-0 truncate text-title font-semibold" title={title}>
            {title}
          </h1>
          {status}
          <Reconnecting />
        </div>
        <div className="mt-1 mb-4 flex min-w-0 items-center gap-1">
          <code className="truncate font-mono text-code text-ink-2">{id}</code>
          <CopyButton text={id} label="Copy the id" variant="icon" />
        </div>
        {actions === undefined ? null : <div className="mb-5 flex flex-wrap gap-2">{actions}</div>}
        {children}
      </PageContent>
    </>
  );
}

/** Says why a thread or a run is not shown, or not as it is now: it loads, it could not be read, or there is none. */
export function Unread({
  what,
  value,
  failure,
  onRetry,
  list,
  none,
}: {
  what: "thread" | "run";
  /** Null if there is none, undefined until it was read. */
  value: object | null | undefined;
  failure?: string | undefined;
  onRetry?: () => void;
  /** The URL of the page with all of them. */
  list: string;
  /** The reasons why there may be none. */
  none: string;
}) {
  if (failure !== undefined && onRetry)
    return (
      <div className="mb-4">
        <LoadFailure what={`The ${what}`} onRetry={onRetry}>
          {failure}
        </LoadFailure>
      </div>
    );
  if (value === undefined) return <Loading what={`the ${what}`} className="h-96 rounded-card" />;
  if (value !== null) return null;
  return (
    <LazyMissingNotice what={what} lead={<ButtonLink href={list}>All {what}s</ButtonLink>}>
      {none}
    </LazyMissingNotice>
  );
}

/** Tells why an action of the page failed. */
export function ActFailure({ reason }: { reason: string | undefined }) {
  if (reason === undefined) return null;
  return (
    <p role="alert" className="w-full text-bad">
      {reason}
    </p>
  );
}

/** A list of facts in a few columns. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="mb-5 grid grid-cols-2 gap-x-4 gap-y-3 rounded-card border border-line p-4 sm:grid-cols-3 lg:grid-cols-4">
      {facts.map(([name, value]) => (
        <div key={name} className="min-w-0">
          <dt className="text-small text-ink-3">{name}</dt>
          <dd className="truncate">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
