"use client";

import { type ComponentProps, Suspense } from "react";
import { lazyPart } from "../_ui/lazy-part.ts";
import { Loading } from "../_ui/skeleton.tsx";
import type { LogView } from "./log-view.tsx";

const Loaded = lazyPart(() => import("./log-view.tsx").then((module) => ({ default: module.LogView })));

/** A `LogView` whose code loads after the page. */
export function LazyLogView(props: ComponentProps<typeof LogView>) {
  const { heading: Heading = "h2", title, className = "" } = props;
  return (
    <Suspense
      fallback={
        <div className={`rounded-card border border-line ${className}`}>
          <Heading className="px-4 py-3.5 font-semibold">{title}</Heading>
          <Loading what="the log" className="mx-4 h-24" />
        </div>
      }
    >
      <Loaded {...props} />
    </Suspense>
  );
}
