"use client";

import { Play, Square, StepForward } from "lucide-react";
import { Button } from "../_ui/button.tsx";
import { CallerButton } from "../_auth/caller-button.tsx";
import { deploymentPath } from "../_ui/deployment-path.ts";
import { Key } from "../_ui/key.tsx";
import { HandOver } from "./hand-over.tsx";
import { isTaken } from "../_ui/hold-keys.ts";
import { StatusPill } from "./status-pill.tsx";
import { useStudio } from "./studio-context.ts";
import { ThreadPicker } from "./thread-picker.tsx";
import { useEarlySend } from "./use-early-send.ts";
import { useRunActions } from "./use-run-actions.ts";
import { useStudioKeys } from "./use-studio-keys.ts";

const EDIT_FIRST = "Fork with the edited state first, or cancel the edit";

/** The bar's controls: which thread is shown, what its run does, and what can be done with it. */
export function TopActions() {
  const { deployment, graph, caller, state, studio, composer } = useStudio();
  const { run, canRun, goOn, canGoOn, isEditing, isRetry } = useRunActions();
  const early = useEarlySend(() => {
    // Somebody who types by now has other plans.
    if (!isTaken(document.activeElement) && (composer.current?.text() ?? "") === "") run();
  });
  useStudioKeys(early.isEarly ? early.ask : run);
  return (
    <>
      <StatusPill className="max-sm:hidden" />
      <CallerButton
        deployment={deployment}
        caller={caller}
        next={`${deploymentPath(deployment)}/studio/${encodeURIComponent(graph)}`}
      />
      <ThreadPicker />
      <HandOver />
      {canGoOn && !isRetry ? (
        <Button
          disabled={isEditing}
          onClick={() => goOn("step")}
          title={isEditing ? EDIT_FIRST : "Run the next step only"}
          className="max-md:hidden"
        >
          <StepForward /> Step
        </Button>
      ) : null}
      {state.isRunning ? (
        <Button onClick={() => void studio.cancel()} disabled={state.isStopping}>
          <Square /> {state.isStopping ? "Stopping…" : "Stop"}
        </Button>
      ) : canGoOn ? (
        <Button
          variant="primary"
          disabled={isEditing}
          title={isEditing ? EDIT_FIRST : undefined}
          onClick={() => goOn("continue")}
        >
          <Play /> {isRetry ? "Retry" : "Continue"} <Key className="max-md:hidden">Space</Key>
        </Button>
      ) : (
        <Button variant="primary" disabled={!canRun} onClick={run}>
          <Play /> {early.isWaiting ? "Reading the graph…" : "Run"} <Key className="max-md:hidden">r</Key>
        </Button>
      )}
    </>
  );
}
