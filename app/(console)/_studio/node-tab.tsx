"use client";

import type { ReactNode } from "react";
import { duration } from "#lib/client/measures.ts";
import { isObject } from "#lib/protocol/json.ts";
import type { StudioNode, StudioRun, StudioTask } from "#lib/rules/studio/run.ts";
import { Button } from "../_ui/button.tsx";
import { Pill } from "../_ui/status.tsx";
import { JsonView } from "../_form/json-view.tsx";
import { factsOf, isEnd, keysWritten, nameOfNode } from "./node-facts.ts";
import { NodeList } from "./node-list.tsx";
import { NodePrompts } from "./node-prompts.tsx";
import { useStudio } from "./studio-context.ts";
import { attemptsOf, TASK_WORDS } from "./task-words.ts";
import { useShownRun } from "./use-shown-run.ts";

/** Shows the selected node as the drawing describes it, and its part in the shown run. */
export default function NodeTab() {
  const { query, info, state } = useStudio();
  const run = useShownRun();
  const drawn = info.drawing?.nodes.find((one) => `${one.id}` === query.node);
  if (query.node === null) return <NodeList />;
  // Breakpoints stop at nodes of the outermost graph only.
  const isOutermost = info.outline?.nodes.some((one) => `${one.id}` === query.node) ?? false;
  const inRun = run?.nodes.get(query.node);
  // The history does not name nodes that are gone, but the events of the newest run do.
  const hasRun = (inRun ?? state.run?.nodes.get(query.node)) !== undefined;
  const task = inRun && run?.tasks.get(inRun.lastTask);
  return (
    <div className="flex flex-col gap-5 p-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="min-w-0 font-semibold wrap-anywhere">{nameOfNode(drawn, query.node)}</h2>
        {inRun ? <Pill tone={TASK_WORDS[inRun.status].tone}>{TASK_WORDS[inRun.status].word}</Pill> : null}
      </div>
      {info.isKnown(query.node) ? null : (
        <p className="text-ink-2">
          The graph of the live revision has no such node.{hasRun ? " An older revision had it." : ""}
        </p>
      )}
      {isOutermost && !isEnd(query.node) ? <BreakpointButtons node={query.node} /> : null}
      <Facts title="In this run">{runFacts(inRun, run, task)}</Facts>
      {drawn ? <NodePrompts node={query.node} /> : null}
      {task ? <LastTask task={task} /> : null}
      <Facts title="In the code">{factsOf(drawn, info.drawing)}</Facts>
    </div>
  );
}

function BreakpointButtons({ node }: { node: string }) {
  const { settings } = useStudio();
  const { before, after } = settings.breakpoints;
  return (
    <div className="flex flex-wrap gap-2">
      <Button aria-pressed={before.has(node)} onClick={() => settings.toggleBreakpoint(node, "before")}>
        {before.has(node) ? "Do not stop before" : "Stop before"}
      </Button>
      <Button aria-pressed={after.has(node)} onClick={() => settings.toggleBreakpoint(node, "after")}>
        {after.has(node) ? "Do not stop after" : "Stop after"}
      </Button>
    </div>
  );
}

function runFacts(
  node: StudioNode | undefined,
  run: StudioRun | undefined,
  task: StudioTask | undefined,
): readonly (readonly [string, ReactNode])[] {
  if (!node || !run) return [["Runs", "none yet"]];
  const written = keysWritten(run, node.node);
  return [
    ["Runs", `${node.runs}`],
    ...(task && attemptsOf(task) > 1 ? [["Attempts", `${attemptsOf(task)} at its last task`] as const] : []),
    ...(node.lastDuration === undefined ? [] : [["Last took", duration(node.lastDuration)] as const]),
    ...(Object.keys(node.counts).length > 1 ? [["Tasks", countsText(node)] as const] : []),
    ...(written.length > 0 ? [["Wrote", written.join(", ")] as const] : []),
  ];
}

function countsText({ counts }: StudioNode): string {
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([status, count]) => `${count} ${status}`)
    .join(", ");
}

function LastTask({ task }: { task: StudioTask }) {
  return (
    <>
      {task.input === undefined ? null : <Value title="Last input" value={task.input} note={inputNote(task)} />}
      {isObject(task.result) && Object.keys(task.result).length === 0 ? null : task.result === undefined ? null : (
        <Value title="Last result" value={task.result} />
      )}
      {task.error ? <Value title="Error" value={`${task.error.name ?? "Error"}: ${task.error.message}`} /> : null}
    </>
  );
}

const inputNote = (task: StudioTask): string | undefined => (task.isInputLeftOut ? "left out: too large" : undefined);

function Value({ title, value, note }: { title: string; value: unknown; note?: string }) {
  return (
    <section aria-label={title}>
      <h3 className="mb-1.5 text-small font-medium text-ink-3">
        {title}
        {note ? ` (${note})` : ""}
      </h3>
      <JsonView label={title} value={value} />
    </section>
  );
}

function Facts({ title, children }: { title: string; children: readonly (readonly [string, ReactNode])[] }) {
  if (children.length === 0) return null;
  return (
    <section aria-label={title}>
      <h3 className="mb-1.5 text-small font-medium text-ink-3">{title}</h3>
      <dl className="flex flex-col gap-1">
        {children.map(([name, value]) => (
          <div key={name} className="flex gap-4">
            <dt className="w-24 shrink-0 text-ink-2">{name}</dt>
            <dd className="min-w-0 flex-1 wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
