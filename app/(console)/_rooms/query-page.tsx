import { NuqsAdapter } from "nuqs/adapters/next/app";
import type { ReactNode } from "react";
import { platform } from "#lib/platform.ts";
import { RenderTime } from "../_ui/moment.tsx";

/** A page whose filters and selection stand in the query of its URL. */
export function QueryPage({ children }: { children: ReactNode }) {
  return (
    <NuqsAdapter>
      <RenderTime now={platform().clock.now()}>{children}</RenderTime>
    </NuqsAdapter>
  );
}
