"use client";

import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { copyText } from "#lib/client/copy-text.ts";

type CopyResult = "copied" | "failed" | undefined;

const VARIANTS = {
  small: "h-6 border border-line bg-background px-2 text-small text-ink-2 hover:text-ink hover:border-line-strong",
  quiet: "h-8 px-3 text-ink-2 hover:bg-well hover:text-ink pointer-coarse:h-10",
  icon: "size-7 justify-center text-ink-3 hover:bg-well hover:text-ink pointer-coarse:size-9",
};

/** Copies text. `label`: the accessible name, which says what is copied. */
export function CopyButton({
  text,
  label,
  variant = "small",
  children = "Copy",
}: {
  /** The text, or a function that builds it on demand. */
  text: string | (() => string);
  label: string;
  variant?: keyof typeof VARIANTS;
  children?: string;
}) {
  const [result, setResult] = useState<CopyResult>();
  useEffect(() => {
    if (!result) return;
    const timer = setTimeout(() => setResult(undefined), 1600);
    return () => clearTimeout(timer);
  }, [result]);

  const word = result === "copied" ? "Copied" : result === "failed" ? "Not copied" : children;
  return (
    <button
      type="button"
      aria-label={result ? word : label}
      title={variant === "icon" ? label : undefined}
      onClick={() =>
        void copyText(typeof text === "string" ? text : text()).then((worked) =>
          setResult(worked ? "copied" : "failed"),
        )
      }
      className={`relative z-1 inline-flex shrink-0 items-center gap-1.5 rounded-control font-medium whitespace-nowrap transition-colors ${VARIANTS[variant]}`}
    >
      {variant === "icon" ? (
        result === "copied" ? (
          <Check className="size-3.5 text-ok" />
        ) : (
          <Copy className="size-3.5" />
        )
      ) : (
        <>
          {/* Both words share one grid cell, so that the button keeps its width. */}
          <span className="grid">
            <span className={`col-start-1 row-start-1 ${result ? "invisible" : ""}`}>{children}</span>
            <span className={`col-start-1 row-start-1 text-center ${result ? "" : "invisible"}`} aria-hidden={!result}>
              {result === "failed" ? "Failed" : "Copied"}
            </span>
          </span>
        </>
      )}
      <output className="sr-only">{result ? word : ""}</output>
    </button>
  );
}
