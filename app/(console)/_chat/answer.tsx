"use client";

import { memo, Suspense } from "react";
import { lazyPart } from "../_ui/lazy-part.ts";

export const Markdown = lazyPart(() => import("./markdown.tsx"));

/** Shows the text of an agent: as plain text until the Markdown renderer is loaded. */
export const Answer = memo(function Answer({ text, live }: { text: string; live: boolean }) {
  return (
    <Suspense fallback={<p className="break-words whitespace-pre-wrap">{text}</p>}>
      <Markdown text={text} live={live} />
    </Suspense>
  );
});
