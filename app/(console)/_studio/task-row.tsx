"use client";

import { duration } from "#lib/client/measures.ts";
import { isObject } from "#lib/protocol/json.ts";
import { readReview } from "#lib/rules/interrupts/review-request.ts";
import type { StudioTask } from "#lib/rules/studio/run.ts";
import { shortProse, shortText } from "#lib/rules/studio/short-text.ts";
import { counted } from "#lib/rules/text/counted.ts";
import { plainMarkdown } from "#lib/rules/text/plain-markdown.ts";
import { Dot } from "../_ui/status.tsx";
import { useStudio } from "./studio-context.ts";
import { attemptsOf, TASK_WORDS } from "./task-words.ts";

/** The most characters of a question or an error that was tried again after. */
const LONGEST_LINE = 160;

/** A task of a step: how it ended, how long it took, how often it was tried, and what it asked or failed with. */
export function TaskRow({
  task,
  isSelected,
  onSelect,
}: {
  task: StudioTask;
  isSelected: boolean;
  onSelect: (task: StudioTask) => void;
}) {
  const { tone, word } = TASK_WORDS[task.status];
  const attempts = attemptsOf(task);
  return (
    <div>
      <button
        type="button"
        onClick={() => onSelect(task)}
        aria-current={isSelected ? "true" : undefined}
        className="flex min-h-6 w-full items-center gap-2.5 rounded-key text-left hover:bg-well"
      >
        <Dot tone={tone} />
        <span className={`min-w-0 flex-1 truncate font-medium ${isSelected ? "text-accent" : ""}`}>{task.name}</span>
        <Gone node={task.node} />
        {attempts > 1 ? (
          <span className="shrink-0 text-small text-waiting">
            {task.status === "running" ? `attempt ${attempts}` : counted(attempts, "attempt")}
          </span>
        ) : null}
        {task.isCached ? <span className="shrink-0 text-small text-ink-3">cached</span> : null}
        <span className="shrink-0 text-small text-ink-2">{timeOf(task) ?? word}</span>
        {timeOf(task) === undefined ? null : <span className="sr-only">{word}</span>}
      </button>
      {task.retried ? <Retries errors={task.retried} /> : null}
      {task.error ? <TaskError error={task.error} /> : null}
      {task.interrupts.map((one) => (
        <div key={one.id} className="mt-1 flex gap-2 text-waiting">
          <span className="font-medium">Asks</span>
          <span className="min-w-0 wrap-anywhere text-ink-2">{questionText(one.value)}</span>
        </div>
      ))}
    </div>
  );
}

const MOST_RETRIES = 3;

/** The errors after which a node was tried again. */
function Retries({ errors }: { errors: readonly string[] }) {
  return (
    <ul aria-label="Attempts that failed" className="mt-1 flex flex-col gap-0.5 border-l border-line pl-3 text-ink-2">
      {errors.slice(-MOST_RETRIES).map((error, index) => (
        // The list only grows at its end, and errors may be equal.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={index} className="wrap-anywhere">
          <span className="text-waiting">Tried again after</span> {shortProse(error, LONGEST_LINE)}
        </li>
      ))}
    </ul>
  );
}

/** Says that the node of an older run is gone. */
export function Gone({ node }: { node: string }) {
  return useStudio().info.isKnown(node) ? null : (
    <span className="shrink-0 text-small text-ink-3">not in this graph</span>
  );
}

/** Returns the question of an interrupt; of a request to review tools, what it says of them; else the value in short. */
function questionText(value: unknown): string {
  const review = readReview(value);
  const asked = isObject(value) && "question" in value ? value.question : value;
  const question = review ? review.actions.map(({ name, description }) => description ?? name).join(" ") : asked;
  return typeof question === "string"
    ? shortProse(plainMarkdown(question), LONGEST_LINE)
    : shortText(question, LONGEST_LINE);
}

function TaskError({ error }: { error: NonNullable<StudioTask["error"]> }) {
  return (
    <div className="mt-1 rounded-control bg-bad-soft px-3 py-2 text-bad">
      <p className="wrap-anywhere">
        {error.name ? <bdi className="font-medium">{error.name}: </bdi> : null}
        {error.message.slice(0, 2_000)}
      </p>
      {error.place ? <p className="mt-1 font-mono text-code wrap-anywhere">{error.place}</p> : null}
    </div>
  );
}

/** Returns how long a task took; undefined while it runs, or when its times were not told. */
function timeOf({ status, startedAt, endedAt }: StudioTask): string | undefined {
  if (status !== "done" && status !== "failed") return undefined;
  return startedAt === undefined || endedAt === undefined ? undefined : duration(endedAt - startedAt);
}
