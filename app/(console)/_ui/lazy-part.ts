import { lazy } from "react";

const FIRST_PAUSE_MS = 500;
const LAST_PAUSE_MS = 4000;

/**
 * `lazy` for a part of a page. If its code cannot be loaded, because the server is gone, it is loaded again until it
 * comes, and the fallback stays meanwhile. Without this, the page would be replaced by its error.
 */
export const lazyPart: typeof lazy = (load) => lazy(() => untilLoaded(load));

async function untilLoaded<T>(load: () => Promise<T>): Promise<T> {
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(LAST_PAUSE_MS, pause * 2)) {
    try {
      return await load();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}

/** Begins to load code that a page needs soon, in the browser. */
export function preload(load: () => Promise<unknown>): void {
  if (typeof window !== "undefined") void load().catch(() => undefined);
}
