"use client";

import { lazy, Suspense } from "react";
import type { FailureProps } from "./failure.tsx";

/** Its code loads when a page has failed, because every page would carry it otherwise. */
const Loaded = lazy(async () => {
  try {
    return { default: (await import("./failure.tsx")).Failure };
  } catch {
    // The server may be gone: what says so must not need it.
    return { default: PlainFailure };
  }
});

export function LazyFailure(props: FailureProps) {
  return (
    <Suspense>
      <Loaded {...props} />
    </Suspense>
  );
}

function PlainFailure({ error, reset }: FailureProps) {
  return (
    <main id="main" className="p-6">
      <h1 className="text-title font-semibold">This page could not be loaded</h1>
      <p className="mt-2 text-ink-2">{error.message || "The server does not answer."}</p>
      <button type="button" onClick={reset} className="mt-4 rounded-control border border-line-strong px-3 py-1.5">
        Try again
      </button>
    </main>
  );
}
