"use client";

import { usePathname, useRouter } from "next/navigation";
import { useEffect, useEffectEvent } from "react";
import { deploymentPath } from "../_ui/deployment-path.ts";
import { isTaken } from "../_ui/hold-keys.ts";
import { DEPLOYMENT_PAGES } from "./deployment-pages.ts";
import { useLive } from "./live.tsx";
import { isPaletteKey } from "./palette-keys.ts";
import { areShortcutsOn } from "./shortcuts-setting.ts";

/** Milliseconds to wait for the second key after `g`. */
const CHORD_MS = 1200;

/**
 * Handles the shortcuts of every page: `g` with `d` or the key of a deployment's page; `c`, `/`, `?`; and the keys of the
 * palette, which work in fields too.
 */
export function useShortcuts({ onHelp, onPalette }: { onHelp: () => void; onPalette: () => void }): void {
  const router = useRouter();
  const path = usePathname();
  const { deployments } = useLive();

  const onKey = useEffectEvent((key: string, afterG: boolean): boolean => {
    const here = /^\/deployments\/(?!new$)[^/]+/.exec(path)?.[0];
    const first = deployments[0] ? deploymentPath(deployments[0].name) : undefined;
    const base = here ?? first;
    const page = DEPLOYMENT_PAGES.find((one) => one.key === key);
    if (afterG && key === "d") router.push("/");
    else if (afterG && base && page) router.push(base + page.path);
    else if (key === "c") router.push("/deployments/new");
    else if (key === "?") onHelp();
    else if (key === "/") document.querySelector<HTMLElement>("[data-filter]")?.focus();
    else return false;
    return true;
  });

  const onPaletteKey = useEffectEvent(onPalette);

  useEffect(() => {
    let pressedG = Number.NEGATIVE_INFINITY;
    const onKeyDown = (event: KeyboardEvent): void => {
      if (isPaletteKey(event)) {
        event.preventDefault();
        return onPaletteKey();
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTaken(event.target) || !areShortcutsOn()) return;
      const afterG = event.timeStamp - pressedG < CHORD_MS;
      pressedG = event.key === "g" ? event.timeStamp : Number.NEGATIVE_INFINITY;
      if (onKey(event.key, afterG)) event.preventDefault();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
}
