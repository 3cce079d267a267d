"use client";

import { type ComponentProps, lazy, Suspense } from "react";

const NoMessages = lazy(() => import("./no-messages.tsx"));

/** Loaded with the pages that need it only. */
export function NoMessagesSlot(props: ComponentProps<typeof NoMessages>) {
  return (
    <Suspense>
      <NoMessages {...props} />
    </Suspense>
  );
}
