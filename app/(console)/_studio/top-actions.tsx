"use client";

import { Play, Square, StepForward } from "lucide-react";
import { Button } from "../_ui/button.tsx";
import { CallerButton } from "../_auth/caller-button.tsx";
import { deploymentPath } from "../_ui/deployment-path.ts";
import { Key } from "../_ui/key.tsx";
import { HandOver } from "./hand-over.tsx";
import { StatusPill } from "./status-pill.tsx";
import { useStudio } from "./studio-context.ts";
import { ThreadPicker } from "./thread-picker.tsx";
import { useRunActions } from "./use-run-actions.ts";

/** The bar's controls: which thread is shown, what its run does, and what can be done with it. */
export function TopActions() {
  const { deployment, graph, caller, state, studio } = useStudio();
  const { run, canRun, goOn, canGoOn, isRetry } = useRunActions();
  return (
    <>
      <StatusPill />
      <CallerButton
        deployment={deployment}
        caller={caller}
        next={`${deploymentPath(deployment)}/studio/${encodeURIComponent(graph)}`}
      />
      <ThreadPicker />
      <HandOver />
      {canGoOn && !isRetry ? (
        <Button onClick={() => goOn("step")} title="Run the next step only" className="max-md:hidden">
          <StepForward /> Step
        </Button>
      ) : null}
      {state.isRunning ? (
        <Button onClick={() => void studio.cancel()} disabled={state.isStopping}>
          <Square /> {state.isStopping ? "Stopping…" : "Stop"}
        </Button>
      ) : canGoOn ? (
        <Button variant="primary" onClick={() => goOn("continue")}>
          <Play /> {isRetry ? "Retry" : "Continue"} <Key className="max-md:hidden">Space</Key>
        </Button>
      ) : (
        <Button variant="primary" disabled={!canRun} onClick={run}>
          <Play /> Run <Key className="max-md:hidden">r</Key>
        </Button>
      )}
    </>
  );
}
