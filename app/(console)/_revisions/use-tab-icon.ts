"use client";

import { useEffect } from "react";
import type { Tone } from "../_ui/status.tsx";

const COLOUR: Record<Tone, string> = {
  ok: "#0a7550",
  running: "#1a5fd2",
  waiting: "#b06a00",
  bad: "#c02f49",
  neutral: "#6d6d78",
};

/** Shows the state in the icon of the browser tab, which is visible from other tabs. The title has it as text. */
export function useTabIcon(tone: Tone): void {
  useEffect(() => {
    const icon = document.querySelector<HTMLLinkElement>("link[rel=icon]");
    const before = icon?.getAttribute("href");
    const dot = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="11" fill="${COLOUR[tone]}"/></svg>`;
    icon?.setAttribute("href", `data:image/svg+xml,${encodeURIComponent(dot)}`);
    return () => {
      if (before) icon?.setAttribute("href", before);
    };
  }, [tone]);
}
