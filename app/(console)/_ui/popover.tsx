"use client";

import { Popover as Base } from "@base-ui/react/popover";
import type { ReactNode, RefObject } from "react";

export interface PopoverProps {
  /** The button that opened it. */
  anchor: RefObject<HTMLElement | null>;
  onClose: () => void;
  /** Its accessible name. */
  title: string;
  className?: string;
  children: ReactNode;
}

/** Floats beside the button that opened it, until Esc or a click outside. It is rendered while it is open. */
export default function Popover({ anchor, onClose, title, className = "w-80", children }: PopoverProps) {
  return (
    <Base.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Base.Portal>
        <Base.Positioner anchor={anchor} side="bottom" align="end" sideOffset={6} className="z-40">
          <Base.Popup
            finalFocus={anchor}
            className={`max-h-[min(32rem,var(--available-height))] max-w-[calc(100vw-1rem)] overflow-y-auto rounded-card border border-line bg-raised p-1.5 shadow-float transition-opacity data-starting-style:opacity-0 ${className}`}
          >
            <Base.Title className="sr-only">{title}</Base.Title>
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
