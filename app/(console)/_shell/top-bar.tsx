import type { ReactNode } from "react";
import { deploymentPath } from "../_ui/deployment-path.ts";
import { PageLink } from "../_ui/page-link.tsx";
import { MenuButton } from "./menu-button.tsx";

export interface Crumb {
  label: string;
  /** Left out on the last one, which is the current page. */
  href?: string;
}

/** Returns the breadcrumbs of a page of a deployment. `above`: the pages between the deployment and this one. */
export function deploymentCrumbs(deployment: string, label: string, ...above: readonly Crumb[]): Crumb[] {
  const href = deploymentPath(deployment);
  return [{ label: "Deployments", href: "/" }, { label: deployment, href }, ...above, { label }];
}

/** The bar of 52 px at the top of a page, with breadcrumbs and actions. */
export function TopBar({ crumbs, children }: { crumbs: readonly Crumb[]; children?: ReactNode }) {
  return (
    <header className="sticky top-0 z-20 flex h-13 shrink-0 items-center gap-3 border-b border-line bg-background px-4 md:px-6">
      <MenuButton />
      <nav aria-label="Breadcrumb" className="min-w-0 flex-1">
        <ol className="flex min-w-0 items-center gap-1.5">
          {crumbs.map(({ label, href }) => (
            <li key={label} className={href ? "hidden shrink-0 text-ink-2 sm:block" : "min-w-0 truncate font-medium"}>
              {href ? (
                <>
                  <PageLink href={href} className="rounded-key hover:text-ink">
                    {label}
                  </PageLink>
                  <span aria-hidden> /</span>
                </>
              ) : (
                <span aria-current="page">{label}</span>
              )}
            </li>
          ))}
        </ol>
      </nav>
      <div className="flex shrink-0 items-center gap-2">{children}</div>
    </header>
  );
}

/** The content of a page, below its top bar. */
export function PageContent({ children }: { children: ReactNode }) {
  return (
    <main id="main" tabIndex={-1} className="w-full max-w-316 flex-1 px-4 py-6 outline-none md:px-6">
      {children}
    </main>
  );
}
