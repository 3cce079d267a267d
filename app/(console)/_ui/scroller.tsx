import type { ReactNode } from "react";

/** Scrolls what is larger than its place, and takes the focus so that the keyboard can as well. */
export function Scroller({ label, className, children }: { label: string; className: string; children: ReactNode }) {
  const focusable = { tabIndex: 0 };
  return (
    <section {...focusable} aria-label={label} className={`overflow-auto ${className}`}>
      {children}
    </section>
  );
}
