"use client";

import dynamic from "next/dynamic";
import { inWords } from "#lib/rules/graphs/graph-words.ts";
import type { GraphLayout } from "#lib/rules/graphs/layout.ts";
import { Skeleton } from "../_ui/skeleton.tsx";

const Flow = dynamic(() => import("./flow.tsx"), {
  ssr: false,
  loading: () => <Skeleton className="size-full rounded-none" />,
});

/** Shows the drawing, and describes it in text for screen readers. */
export function GraphCanvas({ name, layout }: { name: string; layout: GraphLayout }) {
  return (
    <figure aria-label={`Graph ${name}`} className="relative size-full">
      <figcaption className="sr-only">{inWords(layout)}</figcaption>
      <Flow key={name} layout={layout} />
    </figure>
  );
}
