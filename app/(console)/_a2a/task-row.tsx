"use client";

import { ChevronRight } from "lucide-react";
import { useId } from "react";
import type { ReadTask } from "#lib/rules/a2a/read-response.ts";
import { Moment } from "../_ui/moment.tsx";
import { TaskDetail } from "./task-detail.tsx";
import { TaskPill } from "./task-states.tsx";

interface TaskRowProps {
  task: ReadTask;
  path: string;
  isOpen: boolean;
  onOpen: (open: boolean) => void;
  /** Called after the task was answered or cancelled. */
  onChange: () => void;
}

export function TaskRow({ task, path, isOpen, onOpen, onChange }: TaskRowProps) {
  const id = useId();
  const { state, contextId, at, history } = task;
  const first = history.find(({ who }) => who === "person")?.text.trim() ?? "";
  return (
    <li className="border-b border-line last:border-b-0">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => onOpen(!isOpen)}
        className="grid min-h-14 w-full grid-cols-[1rem_minmax(0,1fr)_auto] items-center gap-x-3 gap-y-1 rounded-control px-4 py-2 text-left transition-colors -outline-offset-2 hover:bg-surface sm:grid-cols-[1rem_9.5rem_minmax(0,1fr)_auto] lg:grid-cols-[1rem_9.5rem_minmax(0,1fr)_13rem_6rem]"
      >
        <ChevronRight aria-hidden className={`size-4 text-ink-3 transition-transform ${isOpen ? "rotate-90" : ""}`} />
        <TaskPill state={state} />
        <span className="truncate max-sm:order-1 max-sm:col-span-2 max-sm:col-start-2" title={first}>
          {first || <span className="text-ink-3">no text</span>}
        </span>
        <span className="hidden truncate font-mono text-code text-ink-3 lg:block" title={contextId}>
          {contextId}
        </span>
        <span className="text-right text-small text-ink-2">{at ? <Moment at={at} /> : null}</span>
      </button>
      <div id={id} hidden={!isOpen}>
        {isOpen ? <TaskDetail listed={task} path={path} onChange={onChange} /> : null}
      </div>
    </li>
  );
}
