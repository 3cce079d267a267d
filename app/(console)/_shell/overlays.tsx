"use client";

import { type ReactNode, Suspense } from "react";
import { Dialog, Drawer } from "../_ui/dialog.tsx";
import { lazyPart } from "../_ui/lazy-part.ts";
import { Help } from "./help.tsx";

const Palette = lazyPart(() => import("./palette.tsx"));

/** The dialog or drawer that covers the page. */
export type Overlay = "help" | "menu" | "palette" | undefined;

/** The dialog and the drawer that cover the page. They are loaded when the first one opens. */
export default function Overlays({
  overlay,
  onClose,
  onHelp,
  sidebar,
  keyed,
}: {
  overlay: Overlay;
  onClose: () => void;
  onHelp: () => void;
  sidebar: ReactNode;
  keyed: boolean;
}) {
  return (
    <>
      <Drawer open={overlay === "menu"} onClose={onClose} title="Menu">
        {sidebar}
      </Drawer>
      <Dialog open={overlay === "help"} onClose={onClose} title="Keyboard shortcuts">
        <Help />
      </Dialog>
      {overlay === "palette" ? (
        <Suspense>
          <Palette open onClose={onClose} onHelp={onHelp} keyed={keyed} />
        </Suspense>
      ) : null}
    </>
  );
}
