"use client";

import { Check, X } from "lucide-react";
import type { ReactNode } from "react";
import { IconButton } from "../_ui/button.tsx";
import type { Lesson } from "./use-lesson.ts";

const STEPS: readonly ReactNode[] = [
  <>
    Select <b>tools</b>, and press <kbd className="font-mono text-code">b</kbd> or “Stop before”.
  </>,
  "Send “What is 12 * 7?” below. The run stops before the tool is called.",
  <>
    Look at the state, then press “Continue”, or <kbd className="font-mono text-code">Space</kbd> outside of fields.
  </>,
];

const TITLE = "Stop an agent before it acts";
const END = "That was a breakpoint";

/** A lesson of three steps about breakpoints. Its steps tick themselves. */
export function LessonCard({ done, onDismiss }: Lesson) {
  return (
    <section
      aria-label="Lesson about breakpoints"
      className="pointer-events-auto w-76 rounded-card border border-line bg-raised p-3.5 shadow-float max-sm:hidden"
    >
      <div className="mb-2 flex items-center justify-between">
        <h2 className="font-semibold">{done === STEPS.length ? END : TITLE}</h2>
        <Dismiss onDismiss={onDismiss} />
      </div>
      <ol className="flex flex-col gap-1.5">
        {STEPS.map((step, index) => (
          // oxlint-disable-next-line react/no-array-index-key
          <li key={index} className={`flex gap-2.5 ${index < done ? "text-ink-3" : ""}`}>
            <Mark number={index + 1} isDone={index < done} />
            <span>{step}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The same lesson above the canvas of a phone, which has space for one step. */
export function LessonStrip({ done, onDismiss }: Lesson) {
  const isDone = done === STEPS.length;
  return (
    <section
      aria-label="Lesson about breakpoints"
      className="flex items-start gap-2.5 border-b border-line bg-raised py-2 pr-2 pl-3.5 sm:hidden"
    >
      <h2 className="sr-only">{TITLE}</h2>
      <Mark number={done + 1} isDone={isDone} />
      <p className="min-w-0 flex-1">{isDone ? `${END}.` : STEPS[done]}</p>
      <Dismiss onDismiss={onDismiss} />
    </section>
  );
}

function Dismiss({ onDismiss }: Pick<Lesson, "onDismiss">) {
  return (
    <IconButton size="small" label="Dismiss the lesson" onClick={onDismiss} className="-m-1 shrink-0">
      <X />
    </IconButton>
  );
}

function Mark({ number, isDone }: { number: number; isDone: boolean }) {
  return (
    <span
      className={`mt-0.5 flex size-4 shrink-0 items-center justify-center rounded-full text-[10px] font-semibold ${isDone ? "bg-ok-soft text-ok" : "bg-well text-ink-2"}`}
    >
      {isDone ? <Check className="size-3" aria-label="Done" /> : number}
    </span>
  );
}
