"use client";

import { Dialog as Base } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import type { ReactNode } from "react";

export interface DialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  /** `wide`: as wide as its content, up to the page. */
  size?: "normal" | "wide";
  children: ReactNode;
}

const SIZES = { normal: "w-[min(30rem,calc(100vw-2rem))]", wide: "w-fit max-w-[calc(100vw-2rem)] min-w-64" };

export const VEIL =
  "fixed inset-0 z-30 bg-veil transition-opacity data-starting-style:opacity-0 data-ending-style:opacity-0";

export function Dialog({ open, onClose, title, size = "normal", children }: DialogProps) {
  return (
    <Base.Root open={open} onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={VEIL} />
        <Base.Popup
          className={`${SIZES[size]} fixed top-1/2 left-1/2 z-40 max-h-[calc(100dvh-2rem)] -translate-1/2 overflow-y-auto rounded-card border border-line bg-raised p-5 shadow-float transition-[opacity,scale] data-starting-style:scale-98 data-starting-style:opacity-0 data-ending-style:scale-98 data-ending-style:opacity-0`}
        >
          <div className="mb-4 flex items-center justify-between gap-3">
            <Base.Title className="min-w-0 truncate text-body font-semibold">{title}</Base.Title>
            <Base.Close
              aria-label="Close"
              className="-m-1.5 inline-flex size-8 items-center justify-center rounded-control text-ink-2 hover:bg-well hover:text-ink"
            >
              <X className="size-4" />
            </Base.Close>
          </div>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

/** A dialog at the left edge with the full height, for the sidebar and the threads on phones. */
export function Drawer({ open, onClose, title, children }: DialogProps) {
  return (
    <Base.Root open={open} onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={VEIL} />
        <Base.Popup className="fixed inset-y-0 left-0 z-40 w-68 border-r border-line bg-surface transition-transform duration-180 data-starting-style:-translate-x-full data-ending-style:-translate-x-full">
          <Base.Title className="sr-only">{title}</Base.Title>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
