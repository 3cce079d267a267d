import type { ReactNode } from "react";
import type { SaveResult } from "./use-save.ts";

/** A group of settings with its save button and the result. */
export function Section({
  id,
  title,
  saved,
  action,
  danger = false,
  children,
}: {
  id: string;
  title: string;
  saved?: SaveResult;
  action?: ReactNode;
  danger?: boolean;
  children: ReactNode;
}) {
  return (
    <section
      id={id}
      aria-label={title}
      className={`scroll-mt-20 rounded-card border ${danger ? "border-bad/35" : "border-line"}`}
    >
      <div className="flex flex-col gap-4 p-4">
        <h2 className="font-semibold">{title}</h2>
        {children}
      </div>
      {action ? (
        <div className="flex min-h-12 flex-wrap items-center gap-3 rounded-b-card border-t border-line bg-surface px-4 py-2">
          {action}
          <output className={`min-w-0 flex-1 ${saved?.ok === false ? "text-bad" : "text-ok"}`}>{saved?.message}</output>
        </div>
      ) : null}
    </section>
  );
}
