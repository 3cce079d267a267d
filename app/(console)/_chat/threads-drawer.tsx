"use client";

import type { ReactNode } from "react";
import { Drawer } from "../_ui/dialog.tsx";

/** The list of conversations over the page. Loaded when it is first opened. */
export default function ThreadsDrawer({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  return (
    <Drawer open onOpenChange={(open) => !open && onClose()} title="Conversations">
      {children}
    </Drawer>
  );
}
