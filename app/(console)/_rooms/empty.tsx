import { SearchX } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "../_ui/button.tsx";

/** Takes the place of rows or of content that is not there: says what belongs here, and how it comes about. */
export function Empty({
  icon,
  title,
  action,
  className = "rounded-card border border-line",
  children,
}: {
  icon: ReactNode;
  title: string;
  /** Buttons that lead on. */
  action?: ReactNode;
  className?: string;
  children: ReactNode;
}) {
  return (
    <div className={`flex min-h-60 flex-1 flex-col items-center justify-center p-6 text-center ${className}`}>
      <span
        aria-hidden
        className="mb-3 flex size-10 items-center justify-center rounded-card border border-line bg-surface text-ink-3 [&_svg]:size-5"
      >
        {icon}
      </span>
      <p className="font-medium">{title}</p>
      <div className="mt-1 max-w-110 text-balance text-ink-2">{children}</div>
      {action === undefined ? null : <div className="mt-4 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  );
}

/** Takes the place of the rows of a table that a filter has excluded. `onClear` clears the filters. */
export function NoMatch({ what, onClear }: { what: string; onClear: () => void }) {
  const action = <Button onClick={onClear}>Clear the filters</Button>;
  return (
    <Empty icon={<SearchX />} title={`No ${what} matches`} action={action}>
      None has everything that the filters above ask for.
    </Empty>
  );
}
