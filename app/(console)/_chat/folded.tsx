"use client";

import { ChevronDown } from "lucide-react";
import { type ReactNode, useState } from "react";
import { grouped } from "#lib/rules/text/counted.ts";

/** The most characters that are shown of a long text. */
const SHOWN = 20_000;

/** Shows a line, and below it a text once it is opened. The text may be long and of strangers. */
export function Folded({
  label,
  icon,
  summary,
  aside,
  text,
}: {
  label: string;
  icon: ReactNode;
  summary: string;
  aside?: string;
  /** Builds the text when it is first needed. */
  text: () => string;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      aria-label={label}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      className="group w-full min-w-0 rounded-card border border-line bg-surface"
    >
      <summary className="flex h-9.5 list-none items-center gap-2.5 rounded-card px-3 [&::-webkit-details-marker]:hidden [&>svg]:size-4 [&>svg]:shrink-0 [&>svg]:text-ink-3">
        {icon}
        <span className="min-w-0 flex-1 truncate">{summary}</span>
        {aside ? <span className="shrink-0 text-small text-ink-2">{aside}</span> : null}
        <ChevronDown className="transition-transform group-open:rotate-180" />
      </summary>
      {isOpen ? <Text text={text()} /> : null}
    </details>
  );
}

function Text({ text }: { text: string }) {
  const rest = text.length - SHOWN;
  return (
    <div className="border-t border-line px-3 py-3">
      <pre className="max-h-96 overflow-auto font-mono text-code break-words whitespace-pre-wrap">
        {text.slice(0, SHOWN) || "empty"}
      </pre>
      {rest > 0 ? <p className="pt-2 text-small text-ink-2">{grouped(rest)} more characters</p> : null}
    </div>
  );
}
