import type { ReactNode } from "react";

/** A table in a card, whose rows have one height. `head`: its `HeadCell`s. */
export function Table({ head, children }: { head: ReactNode; children: ReactNode }) {
  return (
    <div className="overflow-hidden rounded-card border border-line">
      <table className="w-full table-fixed border-collapse">
        <thead>
          <tr className="border-b border-line">{head}</tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

export function HeadCell({ children, className = "" }: { children: ReactNode; className?: string }) {
  return (
    <th scope="col" className={`h-9.5 px-4 text-left text-small font-normal text-ink-2 ${className}`}>
      {children}
    </th>
  );
}

/** A row whose link covers all of it. Other buttons lie above the link. */
export function Row({ children }: { children: ReactNode }) {
  return (
    <tr className="relative h-16 border-b border-line transition-colors last:border-b-0 hover:bg-surface">
      {children}
    </tr>
  );
}
