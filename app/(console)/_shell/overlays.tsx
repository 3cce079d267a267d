"use client";

import type { ReactNode } from "react";
import { Dialog, Drawer } from "../_ui/dialog.tsx";
import { Help } from "./help.tsx";

/** The dialog or drawer that covers the page. */
export type Overlay = "help" | "menu" | undefined;

/** The dialog and the drawer that cover the page. They are loaded when the first one opens. */
export default function Overlays({
  overlay,
  onClose,
  sidebar,
}: {
  overlay: Overlay;
  onClose: () => void;
  sidebar: ReactNode;
}) {
  return (
    <>
      <Drawer open={overlay === "menu"} onClose={onClose} title="Menu">
        {sidebar}
      </Drawer>
      <Dialog open={overlay === "help"} onClose={onClose} title="Keyboard shortcuts">
        <Help />
      </Dialog>
    </>
  );
}
