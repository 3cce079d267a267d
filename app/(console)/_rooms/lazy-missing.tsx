"use client";

import { type ComponentProps, Suspense } from "react";
import { lazyPart } from "../_ui/lazy-part.ts";
import { Loading, Skeleton } from "../_ui/skeleton.tsx";
import type { Missing, MissingNotice } from "./missing.tsx";

const load = () => import("./missing.tsx");
const LoadedPage = lazyPart(() => load().then((part) => ({ default: part.Missing })));
const LoadedNotice = lazyPart(() => load().then((part) => ({ default: part.MissingNotice })));

/** `Missing`, whose code loads when it is shown. */
export function LazyMissing(props: ComponentProps<typeof Missing>) {
  return (
    <Suspense fallback={<Loading what="the page" className="m-6 h-60 rounded-card" />}>
      <LoadedPage {...props} />
    </Suspense>
  );
}

/** `MissingNotice`, whose code loads when it is shown. */
export function LazyMissingNotice(props: ComponentProps<typeof MissingNotice>) {
  return (
    <Suspense fallback={<Skeleton className="h-60 rounded-card" />}>
      <LoadedNotice {...props} />
    </Suspense>
  );
}
