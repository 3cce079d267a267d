"use client";

import { type ComponentProps, Suspense } from "react";
import { lazyPart } from "../_ui/lazy-part.ts";
import { Loading, Skeleton } from "../_ui/skeleton.tsx";
import type { Missing } from "./missing.tsx";
import type { MissingNotice } from "./missing-page.tsx";

const LoadedPage = lazyPart(() => import("./missing.tsx").then((part) => ({ default: part.Missing })));
const LoadedNotice = lazyPart(() => import("./missing-page.tsx").then((part) => ({ default: part.MissingNotice })));

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
