import { CircleAlert, Info, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "./button.tsx";

const STYLES = {
  bad: { box: "border-bad/35 bg-bad-soft", icon: <CircleAlert className="text-bad" /> },
  waiting: { box: "border-waiting/35 bg-waiting-soft", icon: <TriangleAlert className="text-waiting" /> },
  neutral: { box: "border-line bg-surface", icon: <Info className="text-ink-3" /> },
};

/** A message about a problem: what happened, where, and what to do, with a button for that. */
export function Notice({
  alert = false,
  tone,
  title,
  children,
  action,
}: {
  /** True if screen readers say it as soon as it appears. */
  alert?: boolean;
  tone: keyof typeof STYLES;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  const { box, icon } = STYLES[tone];
  return (
    <div
      role={alert ? "alert" : undefined}
      className={`flex gap-3 rounded-card border p-4 [&>svg]:mt-0.5 [&>svg]:size-4 [&>svg]:shrink-0 ${box}`}
    >
      {icon}
      <div className="min-w-0 flex-1">
        <div className="font-medium">{title}</div>
        {children ? <div className="mt-1 text-ink-2">{children}</div> : null}
        {action ? <div className="mt-3 flex flex-wrap gap-2">{action}</div> : null}
      </div>
    </div>
  );
}

/** Says that something could not be loaded, and offers to try again. */
export function LoadFailure({ what, onRetry, children }: { what: string; onRetry: () => void; children: ReactNode }) {
  const retry = <Button onClick={onRetry}>Retry</Button>;
  return (
    <Notice alert tone="bad" title={`${what} could not be loaded`} action={retry}>
      {children}
    </Notice>
  );
}
