"use client";

import { Menu as Base } from "@base-ui/react/menu";
import type { ReactNode, RefObject } from "react";

export interface MenuItem {
  readonly label: string;
  readonly icon: ReactNode;
  readonly onSelect?: () => void;
  /** A link in place of an action. */
  readonly href?: string;
  readonly disabled?: boolean;
}

const ITEM =
  "flex h-8 cursor-pointer items-center gap-2.5 rounded-[6px] px-2.5 whitespace-nowrap outline-none select-none data-disabled:cursor-default data-disabled:opacity-55 data-highlighted:bg-well pointer-coarse:h-10 [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-ink-3";

/** An open menu below a button. */
export default function Menu({
  label,
  items,
  anchor,
  align = "end",
  onClose,
}: {
  label: string;
  items: readonly MenuItem[];
  anchor: RefObject<HTMLButtonElement | null>;
  align?: "start" | "end";
  onClose: () => void;
}) {
  return (
    <Base.Root open modal={false} onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Base.Portal>
        <Base.Positioner anchor={anchor} sideOffset={4} align={align} className="z-30">
          <Base.Popup
            aria-label={label}
            finalFocus={anchor}
            className="min-w-44 rounded-card border border-line bg-raised p-1 shadow-float outline-none"
          >
            {items.map(({ label: name, icon, onSelect, href, disabled }) =>
              href === undefined ? (
                <Base.Item key={name} className={ITEM} disabled={disabled} onClick={onSelect}>
                  {icon} {name}
                </Base.Item>
              ) : (
                <Base.LinkItem key={name} className={ITEM} href={href} closeOnClick>
                  {icon} {name}
                </Base.LinkItem>
              ),
            )}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
