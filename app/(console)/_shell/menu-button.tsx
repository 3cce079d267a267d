"use client";

import { Menu } from "lucide-react";
import { IconButton } from "../_ui/button.tsx";
import { useOpenMenu } from "./menu-context.ts";

export function MenuButton() {
  const open = useOpenMenu();
  return (
    <IconButton label="Open the menu" aria-haspopup="dialog" onClick={open} className="-ml-2 md:hidden">
      <Menu />
    </IconButton>
  );
}
