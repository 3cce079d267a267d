import { CircleAlert, Info, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";

const STYLES = {
  bad: { box: "border-bad/35 bg-bad-soft", icon: <CircleAlert className="text-bad" /> },
  waiting: { box: "border-waiting/35 bg-waiting-soft", icon: <TriangleAlert className="text-waiting" /> },
  neutral: { box: "border-line bg-surface", icon: <Info className="text-ink-3" /> },
};

/** A message about a problem: what happened, where, and what to do, with a button for that. */
export function Notice({
  tone,
  title,
  children,
  action,
}: {
  tone: keyof typeof STYLES;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  const { box, icon } = STYLES[tone];
  return (
    <div className={`flex gap-3 rounded-card border p-4 [&>svg]:mt-0.5 [&>svg]:size-4 [&>svg]:shrink-0 ${box}`}>
      {icon}
      <div className="min-w-0 flex-1">
        <div className="font-medium">{title}</div>
        {children ? <div className="mt-1 text-ink-2">{children}</div> : null}
        {action ? <div className="mt-3 flex flex-wrap gap-2">{action}</div> : null}
      </div>
    </div>
  );
}
