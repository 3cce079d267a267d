"use client";

import { Check, X } from "lucide-react";
import { type ReactNode, useState } from "react";
import { IconButton } from "../_ui/button.tsx";
import { useStudio } from "./studio-context.ts";
import { useShown } from "./use-shown.ts";

const KEY = "graphlib.studio-lesson";
const NODE = "tools";

function isDismissed(): boolean {
  try {
    return localStorage.getItem(KEY) === "done";
  } catch {
    // Without local storage the lesson would come back on every page.
    return true;
  }
}

function dismiss(): void {
  try {
    localStorage.setItem(KEY, "done");
  } catch {
    // It is dismissed for as long as the page is open.
  }
}

/** A lesson of three steps about breakpoints, in the studio of the sample agent. Its steps tick themselves. */
export function Lesson() {
  const { deployment, graph, info, settings, state } = useStudio();
  const { next, isNewest } = useShown();
  const [isGone, setGone] = useState(isDismissed);
  const isSet = settings.breakpoints.before.has(NODE);
  const isPaused = isNewest && !state.isRunning && state.thread === "here" && next.includes(NODE);
  const [wasPaused, setWasPaused] = useState(false);
  if (isPaused && !wasPaused) setWasPaused(true);
  const isDone = wasPaused && state.thread === "here" && !state.isRunning && next.length === 0;
  const isSample = deployment === "default" && graph === "agent" && info.drawing?.nodes.some((one) => one.id === NODE);
  if (isGone || !isSample) return null;
  const close = () => {
    dismiss();
    setGone(true);
  };
  return (
    <section
      aria-label="Lesson about breakpoints"
      className="pointer-events-auto w-76 rounded-card border border-line bg-raised p-3.5 shadow-float max-sm:hidden"
    >
      <div className="mb-2 flex items-center justify-between">
        <h2 className="font-semibold">{isDone ? "That was a breakpoint" : "Stop an agent before it acts"}</h2>
        <IconButton size="small" label="Dismiss the lesson" onClick={close} className="-m-1">
          <X />
        </IconButton>
      </div>
      <ol className="flex flex-col gap-1.5">
        <Step isDone={isSet || wasPaused} number={1}>
          Click the upper border of <b>tools</b>, or select it and press <kbd className="font-mono text-code">b</kbd>.
        </Step>
        <Step isDone={wasPaused} number={2}>
          Send “What is 12 * 7?” below. The run stops before the tool is called.
        </Step>
        <Step isDone={isDone} number={3}>
          Look at the state, then continue with <kbd className="font-mono text-code">Space</kbd>.
        </Step>
      </ol>
    </section>
  );
}

function Step({ number, isDone, children }: { number: number; isDone: boolean; children: ReactNode }) {
  return (
    <li className={`flex gap-2.5 ${isDone ? "text-ink-3" : ""}`}>
      <span
        className={`mt-0.5 flex size-4 shrink-0 items-center justify-center rounded-full text-[10px] font-semibold ${isDone ? "bg-ok-soft text-ok" : "bg-well text-ink-2"}`}
      >
        {isDone ? <Check className="size-3" aria-label="Done" /> : number}
      </span>
      <span>{children}</span>
    </li>
  );
}
