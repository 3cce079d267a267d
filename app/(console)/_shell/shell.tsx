"use client";

import { usePathname } from "next/navigation";
import { type ReactNode, Suspense, useCallback, useEffect, useState } from "react";
import type { FollowedDeployment } from "#lib/client/follow-deployments.ts";
import { rememberGraphSeen } from "./first-minute-cookie.ts";
import { isGraphPage } from "./deployment-pages.ts";
import { LiveDeployments } from "./live.tsx";
import { MenuContext } from "./menu-context.ts";
import type { Overlay } from "./overlays.tsx";
import { Sidebar } from "./sidebar.tsx";
import { Toasts } from "./toasts.tsx";
import { lazyDialog, preload } from "../_ui/lazy-part.ts";
import { notifyNotLoaded } from "../_ui/toast.ts";
import { useShortcuts } from "./use-shortcuts.ts";

const loadOverlays = () => import("./overlays.tsx");
const Overlays = lazyDialog(loadOverlays);

/** The field that takes what is typed until the palette is there. Its code comes first of what the page does not begin with. */
let early: typeof import("./early-field.ts") | undefined;
preload(async () => (early = await import("./early-field.ts")));

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
  // The code comes first: an overlay whose code cannot be loaded would replace the page by its error.
  const openPalette = useCallback(() => {
    if (early?.closeEarlyField()) return;
    const loaded = Promise.all([loadOverlays(), import("./palette.tsx")]);
    // A dialog that is open keeps the focus, and on a touch screen a field would bring up the keyboard.
    const field = overlay === undefined && !matchMedia("(pointer: coarse)").matches ? early : undefined;
    field?.openEarlyField();
    loaded.then(
      () => {
        if (!field || field.hasEarlyField()) setOpened({ overlay: "palette", path });
      },
      () => {
        field?.closeEarlyField();
        notifyNotLoaded();
      },
    );
  }, [path, overlay]);
  const close = (): void => setOpened(undefined);

  const sidebar = <Sidebar version={version} keyed={keyed} onSearch={openPalette} onHelp={openHelp} />;
  return (
    <LiveDeployments initial={deployments}>
      <MenuContext value={openMenu}>
        <Shortcuts onHelp={openHelp} onPalette={overlay === "palette" ? close : openPalette} />
        <Toasts />
        <GraphVisit />
        <EarlyFieldEnd key={path} />
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
            <Overlays overlay={overlay} onClose={close} onHelp={openHelp} sidebar={sidebar} keyed={keyed} />
          </Suspense>
        ) : null}
      </MenuContext>
    </LiveDeployments>
  );
}

/** Remembers for the newcomer's steps that a graph was opened. */
function GraphVisit() {
  const isGraph = isGraphPage(usePathname());
  useEffect(() => {
    if (isGraph) rememberGraphSeen();
  }, [isGraph]);
  return null;
}

/** Closes the early field of the palette with the page over which it was opened. */
function EarlyFieldEnd() {
  useEffect(() => () => void early?.closeEarlyField(), []);
  return null;
}

function Shortcuts(props: { onHelp: () => void; onPalette: () => void }) {
  useShortcuts(props);
  return null;
}
