"use client";

import { useEffect } from "react";

const PAUSE_MS = 600;

/** Loads the parts of a conversation that are shown later, so that they are there when the server is not. */
export function usePreload(): void {
  useEffect(() => {
    const timer = setTimeout(() => {
      void Promise.allSettled([
        import("./run-failure.tsx"),
        import("./message-files.tsx"),
        import("./message-menu.tsx"),
        import("./branch-switch.tsx"),
        import("#lib/client/find-run.ts"),
        import("#lib/client/read-attachments.ts"),
        import("#lib/client/thread-history.ts"),
      ]);
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, []);
}
