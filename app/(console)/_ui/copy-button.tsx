"use client";

import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { copyText } from "@/lib/client/copy-text.ts";

type Told = "copied" | "failed" | undefined;

const LOOKS = {
  small: "h-6 border border-line bg-background px-2 text-small text-ink-2 hover:text-ink hover:border-line-strong",
  quiet: "h-8 px-3 text-ink-2 hover:bg-well hover:text-ink pointer-coarse:h-10",
  icon: "size-7 justify-center text-ink-3 hover:bg-well hover:text-ink pointer-coarse:size-9",
};

/** `label` names what is copied, for those who hear the button alone. */
export function CopyButton({
  text,
  label,
  look = "small",
  children = "Copy",
}: {
  /** Or what makes it, where that is work. */
  text: string | (() => string);
  label: string;
  look?: keyof typeof LOOKS;
  children?: string;
}) {
  const [told, setTold] = useState<Told>();
  useEffect(() => {
    if (!told) return;
    const timer = setTimeout(() => setTold(undefined), 1600);
    return () => clearTimeout(timer);
  }, [told]);

  const word = told === "copied" ? "Copied" : told === "failed" ? "Not copied" : children;
  return (
    <button
      type="button"
      aria-label={told ? word : label}
      title={look === "icon" ? label : undefined}
      onClick={() =>
        void copyText(typeof text === "string" ? text : text()).then((worked) => setTold(worked ? "copied" : "failed"))
      }
      className={`relative z-1 inline-flex shrink-0 items-center gap-1.5 rounded-control font-medium whitespace-nowrap transition-colors ${LOOKS[look]}`}
    >
      {look === "icon" ? (
        told === "copied" ? (
          <Check className="size-3.5 text-ok" />
        ) : (
          <Copy className="size-3.5" />
        )
      ) : (
        <>
          {/* Both words lie in one cell, so that the button keeps its width. */}
          <span className="grid">
            <span className={`col-start-1 row-start-1 ${told ? "invisible" : ""}`}>{children}</span>
            <span className={`col-start-1 row-start-1 text-center ${told ? "" : "invisible"}`} aria-hidden={!told}>
              {told === "failed" ? "Failed" : "Copied"}
            </span>
          </span>
        </>
      )}
      <output className="sr-only">{told ? word : ""}</output>
    </button>
  );
}
