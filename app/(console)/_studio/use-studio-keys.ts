"use client";

import { useEffect, useEffectEvent } from "react";
import { areShortcutsOn } from "../_shell/shortcuts-setting.ts";
import { isTaken } from "../_ui/hold-keys.ts";
import { useStudio } from "./studio-context.ts";
import { useCheckpointSteps } from "./use-checkpoint-steps.ts";
import { useRunActions } from "./use-run-actions.ts";

/** Controls that use the space bar themselves. */
const PRESSED = "button, a, summary, [role=slider], [role=tab], [role=button], [role=checkbox]";

/** Handles the studio's single keys. The canvas handles those of a focused node. */
export function useStudioKeys(run: () => void): void {
  const { canvas, query, settings, info } = useStudio();
  const { goOn } = useRunActions();
  const { toPrevious, toNext } = useCheckpointSteps();

  const onKey = useEffectEvent((key: string): boolean => {
    // Breakpoints stop at nodes of the outermost graph only.
    const node = info.outline?.nodes.some((one) => `${one.id}` === query.node) ? query.node : null;
    if (key === "f") canvas.current?.fit();
    else if (key === "r") run();
    else if (key === " ") goOn("continue");
    else if (key === "s") goOn("step");
    else if (key === "[") toPrevious();
    else if (key === "]") toNext();
    else if (key === "b" && node !== null) settings.toggleBreakpoint(node, "before");
    else if (key === "B" && node !== null) settings.toggleBreakpoint(node, "after");
    else return false;
    return true;
  });

  useEffect(() => {
    let afterG = Number.NEGATIVE_INFINITY;
    const onKeyDown = (event: KeyboardEvent): void => {
      const isAfterG = event.timeStamp - afterG < 1200;
      afterG = event.key === "g" ? event.timeStamp : Number.NEGATIVE_INFINITY;
      if (isAfterG || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (!areShortcutsOn() || !isFree(event.target, event.key)) return;
      if (onKey(event.key)) event.preventDefault();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
}

/** Returns whether the focused element leaves this key to the page. */
function isFree(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof Element)) return true;
  if (isTaken(target)) return false;
  return key !== " " || !target.closest(PRESSED);
}
