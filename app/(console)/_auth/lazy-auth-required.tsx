"use client";

import { type ComponentProps, Suspense } from "react";
import { lazyPart } from "../_ui/lazy-part.ts";
import type { AuthRequired } from "./auth-required.tsx";

const Loaded = lazyPart(() => import("./auth-required.tsx").then((part) => ({ default: part.AuthRequired })));

/** `AuthRequired`, whose code loads when it is shown. */
export function LazyAuthRequired(props: ComponentProps<typeof AuthRequired>) {
  return (
    <Suspense>
      <Loaded {...props} />
    </Suspense>
  );
}
