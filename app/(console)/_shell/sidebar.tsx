"use client";

import { CircleHelp, LayoutGrid, LogOut, type LucideIcon } from "lucide-react";
import { useParams, usePathname } from "next/navigation";
import { Suspense } from "react";
import type { FollowedDeployment } from "#lib/client/follow-deployments.ts";
import { forgetUser } from "#lib/client/recent-threads.ts";
import { SIGN_OUT } from "#lib/protocol/session.ts";
import { failedRevision } from "#lib/rules/revisions/phases.ts";
import { deploymentPath } from "../_ui/deployment-path.ts";
import { Dot } from "../_ui/status.tsx";
import { Key } from "../_ui/key.tsx";
import { lazyPart } from "../_ui/lazy-part.ts";
import { PageLink } from "../_ui/page-link.tsx";
import { DEPLOYMENT_PAGES } from "./deployment-pages.ts";
import { useLive } from "./live.tsx";
import { Logo } from "./logo.tsx";
import { SearchButton } from "./search-button.tsx";
import { Switcher } from "./switcher.tsx";
import { ThemeSwitch } from "./theme-switch.tsx";

const RecentThreads = lazyPart(() => import("./recent-threads.tsx").then((part) => ({ default: part.RecentThreads })));

const ROW = "flex h-8 items-center gap-3 rounded-control px-2.5 font-medium transition-colors pointer-coarse:h-10";

interface SidebarProps {
  version: string;
  keyed: boolean;
  onSearch: () => void;
  onHelp: () => void;
}

export function Sidebar({ version, keyed, onSearch, onHelp }: SidebarProps) {
  const { deployment } = useParams<{ deployment?: string }>();
  const { deployments } = useLive();
  const here = deployments.find((one) => one.name === decodeURIComponent(deployment ?? ""));
  return (
    <div className="flex h-full flex-col py-3">
      <div className="flex flex-col gap-3 px-2.5 pb-3">
        <PageLink href="/" className="flex h-8 w-fit items-center gap-2.5 rounded-control px-2 font-semibold">
          <Logo /> Graphlib
        </PageLink>
        <SearchButton onSearch={onSearch} />
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto px-2.5 pb-3">
        <nav aria-label="Console" className="flex flex-col gap-0.5">
          <NavLink href="/" icon={LayoutGrid} keys="g d">
            Deployments
          </NavLink>
          {here ? <DeploymentLinks deployment={here} /> : null}
        </nav>
        {here ? (
          <Suspense>
            <RecentThreads key={here.name} deployment={here.name} />
          </Suspense>
        ) : null}
      </div>
      <div className="flex flex-col gap-0.5 px-2.5 pt-1">
        <div className="flex h-9 items-center justify-between px-2.5 text-ink-2">
          Theme <ThemeSwitch />
        </div>
        <button type="button" onClick={onHelp} className={`${ROW} text-ink-2 hover:bg-well hover:text-ink`}>
          <CircleHelp className="size-4 shrink-0" />
          <span className="flex-1 text-left">Shortcuts</span>
          <Key>?</Key>
        </button>
        {keyed ? <SignOut /> : null}
        <Connection version={version} />
      </div>
    </div>
  );
}

function SignOut() {
  return (
    <form method="post" action={SIGN_OUT} onSubmit={forgetUser} className="flex">
      <button type="submit" className={`${ROW} flex-1 text-ink-2 hover:bg-well hover:text-ink`}>
        <LogOut className="size-4 shrink-0" /> Sign out
      </button>
      <button
        type="submit"
        name="which"
        value="all"
        aria-label="Sign out everywhere"
        title="Sign out in all browsers"
        className={`${ROW} font-normal text-ink-3 hover:bg-well hover:text-ink`}
      >
        everywhere
      </button>
    </form>
  );
}

function DeploymentLinks({ deployment }: { deployment: FollowedDeployment }) {
  const { name } = deployment;
  const base = deploymentPath(name);
  const failed = failedRevision(deployment);
  return (
    // Without `min-w-0` a fieldset is as wide as its longest word.
    <fieldset aria-label={`Deployment ${name}`} className="mt-4 flex min-w-0 flex-col gap-0.5">
      <div className="mb-1.5 px-2.5 text-small text-ink-2">Deployment</div>
      <Switcher current={deployment} />
      {failed === undefined ? null : (
        <PageLink
          href={`${base}/revisions/${failed}`}
          className="mb-1 flex h-6 w-fit items-center gap-1.5 rounded-key px-2.5 text-small text-bad underline underline-offset-2"
        >
          Revision {failed} failed
        </PageLink>
      )}
      {DEPLOYMENT_PAGES.map(({ path, title, key, ...link }) => (
        <NavLink key={path} href={base + path} keys={key && `g ${key}`} {...link}>
          {title}
        </NavLink>
      ))}
    </fieldset>
  );
}

function NavLink({
  href,
  icon: Icon,
  keys,
  matchSubpages = false,
  children,
}: {
  href: string;
  icon: LucideIcon;
  keys?: string | undefined;
  /** Subpages of `href` mark the link as current, too. */
  matchSubpages?: boolean;
  children: string;
}) {
  const path = usePathname();
  const here = path === href || (matchSubpages && path.startsWith(`${href}/`));
  const classes = here ? "bg-accent-soft text-accent" : "text-ink-2 hover:bg-well hover:text-ink";
  return (
    <PageLink href={href} aria-current={here ? "page" : undefined} className={`${ROW} ${classes}`}>
      <Icon className="size-4 shrink-0" />
      <span className="flex-1">{children}</span>
      {keys === undefined ? null : <Key>{keys}</Key>}
    </PageLink>
  );
}

/** Shows whether this page receives updates from the server. */
function Connection({ version }: { version: string }) {
  const { link } = useLive();
  const lost = link === "reconnecting" || link === "refused";
  const word =
    link === "refused"
      ? "No live updates: set PUBLIC_URL"
      : lost
        ? "Reconnecting…"
        : link === "live"
          ? "Platform healthy"
          : "Connecting…";
  return (
    <output className="flex h-8 items-center gap-2.5 px-2.5 text-small text-ink-2">
      <Dot tone={lost ? "waiting" : link === "live" ? "ok" : "neutral"} />
      {word} · {version}
    </output>
  );
}
