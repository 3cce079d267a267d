"use client";

import { History } from "lucide-react";
import { isNextGone } from "#lib/rules/studio/checkpoint-lanes.ts";
import { Button } from "../_ui/button.tsx";
import { useStudio } from "./studio-context.ts";
import { useShown } from "./use-shown.ts";

/** Says over the canvas that a past state is shown, and leads back. */
export function StageNotice() {
  const { setQuery, state } = useStudio();
  const { isNewest, head, checkpoint } = useShown();
  if (isNewest) return null;
  const mark = checkpoint === undefined ? undefined : state.lanes.marks.get(checkpoint);
  const past =
    mark && isNextGone(state.lanes, mark) ? "A past state is shown. Its next node is gone" : "A past state is shown";
  return (
    <div className="pointer-events-auto flex min-h-8 flex-wrap items-center gap-2 rounded-control border border-line bg-raised py-0.5 pr-0.5 pl-2.5">
      <History className="size-4 shrink-0 text-ink-3" />
      <span>{head ? past : state.hasOlder ? "This checkpoint was not read yet" : "No such checkpoint"}</span>
      <Button variant="quiet" className="h-7!" onClick={() => void setQuery({ checkpoint: null, compare: null })}>
        Back to newest
      </Button>
    </div>
  );
}
