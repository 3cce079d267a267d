import type { ReactNode } from "react";

/** A scrollable area that takes the focus, so that the keyboard can scroll it. */
export function Scroller({ label, className, children }: { label: string; className: string; children: ReactNode }) {
  const focusable = { tabIndex: 0 };
  return (
    <section {...focusable} aria-label={label} className={`overflow-auto ${className}`}>
      {children}
    </section>
  );
}
