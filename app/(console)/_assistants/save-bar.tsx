"use client";

import type { ReactNode } from "react";
import { Button } from "../_ui/button.tsx";
import { Dot } from "../_ui/status.tsx";
import { useAct } from "../_ui/use-act.ts";

export interface Saving {
  readonly isBusy: boolean;
  /** The reason why the last attempt failed. */
  readonly failure: string | undefined;
  readonly save: () => void;
}

/** Saves once at a time, and keeps the reason of a failure. `isReady`: there is something that can be saved. */
export function useSaving(isReady: boolean, store: () => Promise<void>): Saving {
  const { busy, failure, act } = useAct<"save">();
  const save = (): void => {
    if (busy === undefined && isReady) act("save", store());
  };
  return { isBusy: busy !== undefined, failure, save };
}

/** Saves a draft, or discards it. */
export function SaveBar({
  saving: { isBusy, failure, save },
  action,
  changed,
  problem,
  onDiscard,
  children,
}: {
  saving: Saving;
  /** The word on the button. */
  action: string;
  /** The changes in words; undefined if there are none. */
  changed: string | undefined;
  /** The reason why the draft cannot be saved. */
  problem: string | undefined;
  onDiscard: () => void;
  /** A notice above the buttons, which is always in view. */
  children?: ReactNode;
}) {
  if (changed === undefined && failure === undefined) return null;
  return (
    // It sticks to the end of the pane, and not to that of its padding: text would show below.
    <div className="sticky -bottom-4 z-10 -mx-4 mt-5 -mb-4 md:-mx-6 flex flex-wrap items-center gap-2 border-t border-line bg-background px-4 py-3 md:px-6">
      {children ? <div className="basis-full">{children}</div> : null}
      <output className="flex min-w-0 flex-1 basis-48 items-center gap-2 text-small text-ink-2">
        <Dot tone={failure === undefined ? "waiting" : "bad"} />
        <span className="min-w-0 wrap-anywhere">
          {failure === undefined ? (problem ?? `Not saved: ${changed}`) : `It was not saved: ${failure}`}
        </span>
      </output>
      <Button onClick={onDiscard}>Discard</Button>
      <Button variant="primary" disabled={isBusy || problem !== undefined} onClick={save}>
        {isBusy ? "Saving…" : action}
      </Button>
    </div>
  );
}
