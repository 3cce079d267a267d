"use client";

import { memo, useState } from "react";
import { isObject } from "#lib/protocol/json.ts";
import { isInputStep, shownTasksOf } from "#lib/rules/studio/log-entries.ts";
import { areOfStep } from "#lib/rules/studio/messages.ts";
import type { StudioRun, StudioStep, StudioTask } from "#lib/rules/studio/run.ts";
import type { StateDifference } from "#lib/rules/studio/state-difference.ts";
import { shortText } from "#lib/rules/studio/short-text.ts";
import { Dot } from "../_ui/status.tsx";
import { ChangeList } from "./change-list.tsx";
import { LogMessages } from "./log-messages.tsx";
import { Gone, TaskRow } from "./task-row.tsx";
import { TASK_WORDS } from "./task-words.ts";

interface LogStepProps {
  run: StudioRun;
  step: StudioStep;
  /** The selected node, as the drawing names it. */
  selected?: string;
  onSelect: (task: StudioTask, step: StudioStep) => void;
}

/** One step of the log: its tasks, what they said, and what changed in the state. */
export const LogStep = memo(
  LogStepContent,
  (before, after) =>
    // A step keeps its identity while nothing of it changes, but its tasks are read from the run.
    before.step === after.step && before.selected === after.selected && sameTasks(before, after),
);

function sameTasks({ run: before, step }: LogStepProps, { run: after }: LogStepProps): boolean {
  return before === after || step.tasks.every((id) => before.tasks.get(id) === after.tasks.get(id));
}

function LogStepContent({ run, step, selected, onSelect }: LogStepProps) {
  const tasks = shownTasksOf(run, step);
  const source = tasks.length === 0 ? sourceOf(run, step) : undefined;
  const groups = Map.groupBy(tasks, (task) => task.node);
  return (
    <article aria-label={labelOf(step, source ?? tasks[0]?.name)} className="border-b border-line px-4 py-3">
      {step.path.length > 0 ? (
        <div className="mb-1 truncate text-small text-ink-3">in {step.path.join(" › ")}</div>
      ) : null}
      {source === undefined ? null : <SourceLine source={source} />}
      {[...groups].map(([node, ofNode]) => (
        <TaskGroup key={node} tasks={ofNode} isSelected={node === selected} onSelect={(task) => onSelect(task, step)} />
      ))}
      <div className="flex flex-col gap-2 not-empty:mt-1.5">
        <LogMessages step={step} />
        <CustomEvents step={step} />
        {step.difference ? <ChangeList difference={withoutMessages(step)} /> : <Writes tasks={tasks} step={step} />}
      </div>
    </article>
  );
}

/** Returns whether the entry shows all these items as messages. */
function areShown(items: readonly unknown[], { messages }: StudioStep): boolean {
  return (
    messages.size > 0 &&
    items.every((item) => isObject(item) && typeof item.id === "string" && messages.indexOf(item.id) >= 0)
  );
}

/** Leaves out messages that the entry shows as messages. */
function withoutMessages(step: StudioStep): StateDifference {
  return (step.difference ?? []).filter((change) => change.kind !== "appended" || !areShown(change.items, step));
}

const MOST_WRITES = 6;

/** Shows the writes of tasks, other than shown messages, if the states around their step are unknown. */
function Writes({ tasks, step }: { tasks: readonly StudioTask[]; step: StudioStep }) {
  const writes = tasks.flatMap((task) =>
    isObject(task.result)
      ? Object.entries(task.result)
          .filter(([key, value]) => !areOfStep(step, task, key, value))
          .map(([key, value]) => ({ id: `${task.id} ${key}`, key, value }))
      : [],
  );
  if (writes.length === 0) return null;
  return (
    <ul className="flex flex-col font-mono text-code">
      {writes.slice(0, MOST_WRITES).map(({ id, key, value }) => (
        <li key={id} className="flex gap-2">
          <span aria-hidden className="w-2 shrink-0 text-ink-3">
            =
          </span>
          <span className="min-w-0 wrap-anywhere">
            <span className="sr-only">Wrote </span>
            <bdi>{key}</bdi>
            <span className="text-ink-2">
              : <bdi>{shortText(value)}</bdi>
            </span>
          </span>
        </li>
      ))}
      {writes.length > MOST_WRITES ? <li className="pl-4 text-ink-3">and {writes.length - MOST_WRITES} more</li> : null}
    </ul>
  );
}

/** Says what made a step without tasks. */
function sourceOf(run: StudioRun, step: StudioStep): string {
  if (step.isGone) return "Nodes that are not in this graph";
  if (step.source === "update") return "State edited";
  if (step.source === "fork") return "Forked here";
  return isInputStep(run, step) ? "Input" : "Step";
}

function SourceLine({ source }: { source: string }) {
  return (
    <div className="flex items-center gap-2.5 text-ink-2">
      <Dot tone="neutral" /> {source}
    </div>
  );
}

const MOST_TASKS = 50;

/** The tasks of one node in a step. Several are folded into one line. */
function TaskGroup({
  tasks,
  isSelected,
  onSelect,
}: {
  tasks: readonly StudioTask[];
  isSelected: boolean;
  onSelect: (task: StudioTask) => void;
}) {
  const [isOpen, setOpen] = useState(false);
  const [first] = tasks;
  if (!first) return null;
  if (tasks.length === 1) return <TaskRow task={first} isSelected={isSelected} onSelect={onSelect} />;
  const failed = tasks.filter((task) => task.status === "failed").length;
  const done = tasks.filter((task) => task.status === "done").length;
  const status = tasks.find((task) => task.status !== "done")?.status ?? "done";
  return (
    <div>
      <div className="flex items-center gap-2.5">
        <Dot tone={TASK_WORDS[failed > 0 ? "failed" : status].tone} />
        <button
          type="button"
          onClick={() => onSelect(first)}
          className={`min-w-0 truncate rounded-key font-medium ${isSelected ? "text-accent" : ""}`}
        >
          <bdi>{first.name}</bdi> <span className="font-normal text-ink-2">× {tasks.length}</span>
        </button>
        <Gone node={first.node} />
        <span className="ml-auto shrink-0 text-small text-ink-2">
          {done} of {tasks.length} done{failed > 0 ? `, ${failed} failed` : ""}
        </span>
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          className="shrink-0 rounded-key text-small text-ink-2 underline underline-offset-2 hover:text-ink"
        >
          {isOpen ? "Fold" : "Show all"}
        </button>
      </div>
      {isOpen ? (
        <div className="mt-1 border-l border-line pl-3">
          {tasks.slice(0, MOST_TASKS).map((task) => (
            <TaskRow key={task.id} task={task} isSelected={isSelected} onSelect={onSelect} />
          ))}
          {tasks.length > MOST_TASKS ? (
            <p className="text-small text-ink-3">and {tasks.length - MOST_TASKS} more</p>
          ) : null}
        </div>
      ) : null}
    </div>
  );
}

function CustomEvents({ step: { custom } }: { step: StudioStep }) {
  const { first, last, leftOut } = custom;
  if (first.length === 0) return null;
  return (
    <ul className="flex flex-col gap-0.5 font-mono text-code text-ink-2">
      {first.map((event) => (
        <CustomEvent key={event.id} data={event.data} />
      ))}
      {leftOut > 0 ? <li className="text-ink-3">… {leftOut} more events …</li> : null}
      {last.map((event) => (
        <CustomEvent key={event.id} data={event.data} />
      ))}
    </ul>
  );
}

function CustomEvent({ data }: { data: unknown }) {
  const text = JSON.stringify(data) ?? "";
  return (
    <li className="flex gap-2">
      <span aria-hidden className="w-2 shrink-0 text-accent">
        •
      </span>
      <span className="min-w-0 wrap-anywhere">
        <span className="sr-only">Event </span>
        {text.length > 200 ? `${text.slice(0, 200)}…` : text}
      </span>
    </li>
  );
}

function labelOf({ step }: StudioStep, name: string | undefined): string {
  return `${step === undefined ? "Step" : `Step ${step}`}: ${name}`;
}
