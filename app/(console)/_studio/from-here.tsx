"use client";

import { ChevronDown, Copy, GitCompare, Pencil, Play } from "lucide-react";
import { useState } from "react";
import { errorMessage } from "#lib/rules/text/error-message.ts";
import type { CheckpointMark } from "#lib/rules/studio/checkpoint-lanes.ts";
import { PopoverButton, PopoverItem } from "../_ui/popover-button.tsx";
import { useStudio } from "./studio-context.ts";
import { useRunActions } from "./use-run-actions.ts";

/** Offers the actions that begin at the shown checkpoint. */
export function FromHere({ mark }: { mark: CheckpointMark | undefined }) {
  return (
    <PopoverButton
      title="From here: what can be done from this checkpoint"
      variant="quiet"
      width="w-64"
      className="px-2!"
      label={
        <>
          <span className="max-sm:hidden">From here</span> <ChevronDown className="size-3.5!" />
        </>
      }
    >
      {(close) => <Choices mark={mark} onClose={close} />}
    </PopoverButton>
  );
}

function Choices({ mark, onClose }: { mark: CheckpointMark | undefined; onClose: () => void }) {
  const { state, start, setQuery, studio } = useStudio();
  const { isEditing } = useRunActions();
  const newest = state.lanes.marks.last;
  const [problem, setProblem] = useState<string>();
  const then = (act: () => void) => () => {
    onClose();
    act();
  };
  const copy = (): void => {
    setProblem(undefined);
    studio.copy(mark?.id).then(
      (thread) => {
        onClose();
        void setQuery({ thread, checkpoint: null, compare: null }, { history: "push" });
      },
      (error: unknown) => setProblem(errorMessage(error)),
    );
  };
  return (
    <>
      <PopoverItem
        disabled={isEditing || state.isRunning || !mark || mark.next.length === 0}
        onClick={then(() => void start({ goOn: "continue" }))}
      >
        <Play /> Run on from here
      </PopoverItem>
      <PopoverItem disabled={state.isRunning} onClick={then(() => void setQuery({ tab: "state", edit: true }))}>
        <Pencil /> Edit the state and fork
      </PopoverItem>
      <PopoverItem disabled={!mark} onClick={copy}>
        <Copy /> Copy to a new thread
      </PopoverItem>
      <PopoverItem
        disabled={!mark || !newest || mark === newest}
        onClick={then(() => void setQuery({ tab: "state", compare: newest?.id ?? null }))}
      >
        <GitCompare /> Compare with the newest
      </PopoverItem>
      {problem === undefined ? null : (
        <p role="alert" className="px-2.5 py-1.5 text-bad">
          {problem}
        </p>
      )}
    </>
  );
}
