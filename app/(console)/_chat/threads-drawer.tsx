"use client";

import type { ReactNode } from "react";
import { Drawer } from "../_ui/dialog.tsx";

/** The drawer with the threads, loaded when it first opens. */
export default function ThreadsDrawer({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  return (
    <Drawer open onOpenChange={(open) => !open && onClose()} title="Threads">
      {children}
    </Drawer>
  );
}
