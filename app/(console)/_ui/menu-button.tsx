"use client";

import { type ReactNode, Suspense, useRef, useState } from "react";
import { IconButton } from "./button.tsx";
import type { MenuItem } from "./menu.tsx";
import { lazyDialog } from "./lazy-part.ts";

const Menu = lazyDialog(() => import("./menu.tsx"));

/** A button that opens a menu, whose code loads when it first opens. */
export function MenuButton({
  label,
  icon,
  items,
  size,
  align,
  onOpen,
}: {
  label: string;
  icon: ReactNode;
  items: readonly MenuItem[];
  size?: "normal" | "small";
  align?: "start" | "end";
  /** Called when the menu opens. */
  onOpen?: () => void;
}) {
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <IconButton
        ref={button}
        label={label}
        size={size}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => {
          if (!isOpen) onOpen?.();
          setOpen(!isOpen);
        }}
      >
        {icon}
      </IconButton>
      {isOpen ? (
        <Suspense>
          <Menu label={label} items={items} anchor={button} align={align} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
