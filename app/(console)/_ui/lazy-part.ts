"use client";

import { type ComponentType, createElement, lazy, useState } from "react";
import { holdKeys } from "./hold-keys.ts";

const FIRST_PAUSE_MS = 500;
const LAST_PAUSE_MS = 4000;

type AnyComponent = Awaited<ReturnType<Parameters<typeof lazy>[0]>>["default"];

/** A part of a page whose code is loaded when it is first rendered, or before that by `load`. */
export type LazyPart<Part extends AnyComponent> = Part & { readonly load: () => Promise<void> };

/**
 * `lazy` for a part of a page. If its code cannot be loaded, because the server is gone, it is loaded again until it
 * comes, and the fallback stays meanwhile. Without this, the page would be replaced by its error. Once the code is loaded,
 * the part is mounted without its fallback.
 */
export function lazyPart<Part extends AnyComponent>(load: () => Promise<{ default: Part }>): LazyPart<Part> {
  let loaded: ComponentType<object> | undefined;
  const loadPart = async () => {
    const part: { default: ComponentType<object> } = await untilLoaded(load);
    loaded = part.default;
    return part;
  };
  const Lazy = lazy(loadPart);
  function Mounted(props: object) {
    // A part keeps the component with which it was mounted, and with it its state.
    const [Chosen] = useState(() => loaded ?? Lazy);
    return createElement(Chosen, props);
  }
  const part = Object.assign(Mounted, { load: async () => void (await loadPart()) });
  // It takes the props of the part, which it hands on.
  return part as unknown as LazyPart<Part>;
}

/** `lazyPart` for what takes the focus when it opens, as a dialog does: while its code loads, single keys do nothing. */
export const lazyDialog: typeof lazy = (load) =>
  lazy(async () => {
    const release = typeof window === "undefined" ? undefined : holdKeys();
    const loaded = await untilLoaded(load);
    release?.();
    return loaded;
  });

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
