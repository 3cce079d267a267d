import type { ChatState } from "#lib/client/chat-state.ts";
import { Button } from "../_ui/button.tsx";
import { Dot } from "../_ui/status.tsx";

/** Says that another branch or an earlier checkpoint than the newest is shown, and what the next message does. */
export function OlderBranch({ state, onNewest }: { state: ChatState; onNewest: () => void }) {
  if (state.checkpoint === undefined || state.thread !== "here") return null;
  return (
    <div className="mb-2 flex min-h-10 flex-wrap items-center gap-x-3 gap-y-1.5 rounded-control bg-well px-3.5 py-1.5 text-ink-2">
      <output className="flex min-w-0 flex-1 basis-64 items-baseline gap-2.5">
        <Dot tone="neutral" />
        <span>This is not the newest branch. Your next message continues from here.</span>
      </output>
      <Button onClick={onNewest}>Show newest</Button>
    </div>
  );
}
