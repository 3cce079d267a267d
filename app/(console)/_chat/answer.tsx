"use client";

import { lazy, memo, Suspense } from "react";

const Markdown = lazy(() => import("./markdown.tsx"));

/** An agent's text. Until the renderer is there, the plain text is. */
export const Answer = memo(function Answer({ text, live }: { text: string; live: boolean }) {
  return (
    <Suspense fallback={<p className="break-words whitespace-pre-wrap">{text}</p>}>
      <Markdown text={text} live={live} />
    </Suspense>
  );
});
