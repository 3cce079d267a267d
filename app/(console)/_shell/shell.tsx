"use client";

import { usePathname } from "next/navigation";
import { createContext, lazy, type ReactNode, Suspense, useCallback, useContext, useState } from "react";
import type { FollowedDeployment } from "#lib/client/follow-deployments.ts";
import { LiveDeployments } from "./live.tsx";
import type { Overlay } from "./overlays.tsx";
import { Sidebar } from "./sidebar.tsx";
import { useShortcuts } from "./use-shortcuts.ts";

const Overlays = lazy(() => import("./overlays.tsx"));

const MenuContext = createContext<() => void>(() => {});

/** Opens the sidebar on phones, where it is a drawer. */
export const useOpenMenu = (): (() => void) => useContext(MenuContext);

export function Shell({
  deployments,
  version,
  keyed,
  children,
}: {
  deployments: readonly FollowedDeployment[];
  version: string;
  keyed: boolean;
  children: ReactNode;
}) {
  const path = usePathname();
  // An overlay closes when the page changes.
  const [opened, setOpened] = useState<{ overlay: Overlay; path: string }>();
  const overlay = opened?.path === path ? opened.overlay : undefined;
  const openMenu = useCallback(() => setOpened({ overlay: "menu", path }), [path]);
  const openHelp = useCallback(() => setOpened({ overlay: "help", path }), [path]);

  const sidebar = <Sidebar version={version} keyed={keyed} onHelp={openHelp} />;
  return (
    <LiveDeployments initial={deployments}>
      <MenuContext value={openMenu}>
        <Shortcuts onHelp={openHelp} />
        <a
          href="#main"
          className="sr-only z-50 rounded-control bg-ink px-3 py-2 text-background focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
        >
          Skip to content
        </a>
        <div className="flex min-h-dvh">
          <aside className="sticky top-0 hidden h-dvh w-56 shrink-0 border-r border-line bg-surface md:block">
            {sidebar}
          </aside>
          <div className="flex min-w-0 flex-1 flex-col">{children}</div>
        </div>
        {overlay ? (
          <Suspense>
            <Overlays overlay={overlay} onClose={() => setOpened(undefined)} sidebar={sidebar} />
          </Suspense>
        ) : null}
      </MenuContext>
    </LiveDeployments>
  );
}

function Shortcuts({ onHelp }: { onHelp: () => void }) {
  useShortcuts(onHelp);
  return null;
}
