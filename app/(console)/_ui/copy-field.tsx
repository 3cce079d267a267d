import type { ReactNode } from "react";
import { CopyButton } from "./copy-button.tsx";

/** A labelled value with a copy button. `hint`: small text below it. */
export function CopyField({
  label,
  value,
  shown = value,
  hint,
}: {
  label: string;
  value: string;
  /** A shorter form to display. The full value is copied. */
  shown?: string;
  hint?: ReactNode;
}) {
  return (
    <div className="min-w-0">
      <div className="mb-1.5 text-small text-ink-2">{label}</div>
      <div className="flex h-9 items-center gap-2 rounded-control border border-line bg-surface pr-1.5 pl-3">
        <code className="min-w-0 flex-1 truncate font-mono text-code" title={value}>
          {shown}
        </code>
        <CopyButton text={value} label={`Copy ${label}`} />
      </div>
      {hint ? <div className="mt-1.5 truncate text-small text-ink-3">{hint}</div> : null}
    </div>
  );
}
