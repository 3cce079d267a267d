import { Ban, Check, CircleHelp, Clock, LoaderCircle, type LucideIcon, OctagonPause, X } from "lucide-react";
import type { TaskStatus } from "#lib/rules/studio/run.ts";

/** Border and background of a node by its status. Far away, where no sign can be seen, the whole node has the colour. */
export const STATUS_BOX: Record<TaskStatus | "idle", string> = {
  idle: "border-line-strong bg-raised group-data-far/canvas:bg-line-strong",
  waiting: "border-line-strong bg-raised group-data-far/canvas:bg-line-strong",
  running: "border-running bg-running-soft group-data-far/canvas:bg-running",
  done: "border-ok bg-ok-soft group-data-far/canvas:bg-ok",
  failed: "border-bad bg-bad-soft group-data-far/canvas:bg-bad",
  interrupted: "border-waiting bg-waiting-soft group-data-far/canvas:bg-waiting",
  cancelled: "border-dotted border-ink-3 bg-raised group-data-far/canvas:bg-ink-3",
  unknown: "border-dashed border-ink-3 bg-raised group-data-far/canvas:bg-ink-3",
};

const STATUS_INK: Record<TaskStatus, string> = {
  waiting: "text-ink-3",
  running: "text-running motion-safe:animate-breathe",
  done: "text-ok",
  failed: "text-bad",
  interrupted: "text-waiting",
  cancelled: "text-ink-3",
  unknown: "text-ink-3",
};

const ICON: Record<TaskStatus, LucideIcon> = {
  waiting: Clock,
  running: LoaderCircle,
  done: Check,
  failed: X,
  interrupted: OctagonPause,
  cancelled: Ban,
  unknown: CircleHelp,
};

/** A sign for a status, because colour alone is not accessible. */
export function StatusSign({ status }: { status: TaskStatus }) {
  const Icon = ICON[status];
  return (
    <span title={status} className={`shrink-0 ${STATUS_INK[status]}`}>
      <Icon aria-hidden className="size-4" strokeWidth={2.25} />
    </span>
  );
}
