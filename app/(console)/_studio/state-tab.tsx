"use client";

import { Pencil } from "lucide-react";
import type { ReactNode } from "react";
import { fileSize } from "#lib/client/measures.ts";
import type { ThreadSnapshot } from "#lib/client/threads.ts";
import { isObject } from "#lib/protocol/json.ts";
import { type LargeKey, largeKeysOf, smallDifferenceOf } from "#lib/rules/studio/compare-states.ts";
import { VALUES } from "#lib/rules/threads/bounded-state.ts";
import { checkpointIdOf } from "#lib/rules/threads/read-state.ts";
import { Button } from "../_ui/button.tsx";
import { LoadFailure } from "../_ui/notice.tsx";
import { Loading } from "../_ui/skeleton.tsx";
import { ChangeList } from "./change-list.tsx";
import { Comparison } from "./comparison.tsx";
import { GoneThread } from "./gone-thread.tsx";
import { StateEditor } from "./state-editor.tsx";
import { LargeValue, StateValue } from "./state-value.tsx";
import { useStudio } from "./studio-context.ts";
import { useShown } from "./use-shown.ts";
import { useValues } from "./use-values.ts";

/** The state at the shown checkpoint, what the step changed, and the comparison with another branch. */
export default function StateTab() {
  const { query, setQuery, state } = useStudio();
  const { checkpoint, head, isOpening } = useShown();
  const { value, isCurrent, failure, retry } = useValues(checkpoint, query.edit);
  if (state.thread === "gone") {
    return (
      <div className="p-4">
        <GoneThread />
      </div>
    );
  }
  if (failure !== undefined) {
    return (
      <div className="p-4">
        <LoadFailure what="The state" onRetry={() => void retry()}>
          {failure}
        </LoadFailure>
      </div>
    );
  }
  if (checkpoint === undefined && !isOpening && !query.edit) {
    return <p className="p-4 text-ink-2">The thread has no state yet. Its first run writes one.</p>;
  }
  // The editor begins with the values, so it waits for those of the shown checkpoint.
  if (checkpoint === undefined ? isOpening : !(query.edit ? isCurrent : value)) {
    return <Loading what="the state" className="m-4 h-32" />;
  }
  const values = value?.values;
  if (query.edit) {
    return <StateEditor key={checkpoint} values={values} checkpoint={checkpoint} lastNode={lastNodeOf(head)} />;
  }
  const shown = checkpointIdOf(value?.checkpoint);
  return (
    <div
      aria-busy={!isCurrent}
      className="flex flex-col gap-5 p-4 transition-opacity aria-busy:opacity-60 aria-busy:delay-150"
    >
      {isCurrent ? null : <Loading what="the state" />}
      <div className="flex items-center justify-between gap-3">
        <h2 className="min-w-0 truncate font-mono text-code text-ink-2" title={shown}>
          {shown}
        </h2>
        <Button disabled={state.isRunning} onClick={() => void setQuery({ edit: true })}>
          <Pencil /> Edit
        </Button>
      </div>
      {value === undefined || shown === undefined ? null : (
        <>
          {query.compare === null ? (
            <StepChanges
              parent={checkpointIdOf(value.parent_checkpoint)}
              state={value}
              isEdit={sourceOf(head) === "update"}
            />
          ) : (
            <Comparison here={shown} state={value} other={query.compare} />
          )}
          <Values state={value} checkpoint={shown} />
        </>
      )}
    </div>
  );
}

/** Returns the node whose update the state shows, as far as the metadata tell. */
function lastNodeOf(head: { metadata?: unknown } | undefined): string | undefined {
  const writes = isObject(head?.metadata) ? head.metadata.writes : undefined;
  return isObject(writes) ? Object.keys(writes)[0] : undefined;
}

function sourceOf(head: { metadata?: unknown } | undefined): unknown {
  return isObject(head?.metadata) ? head.metadata.source : undefined;
}

function Values({ state: { values, omitted }, checkpoint }: { state: ThreadSnapshot; checkpoint: string }) {
  const large = Object.entries(omitted ?? {});
  const entries = isObject(values) ? Object.entries(values) : [];
  if (large.length === 0 && !isObject(values)) return <StateValue label="State" value={values} />;
  if (large.length === 0 && entries.length === 0) return <p className="text-ink-2">The state is empty.</p>;
  return (
    <>
      {entries.map(([key, value]) => (
        <Part key={key} title={key}>
          <StateValue label={key} value={value} />
        </Part>
      ))}
      {large.map(([path, size]) => {
        const name = path.startsWith(VALUES) ? path.slice(VALUES.length) : undefined;
        return (
          <Part key={path} title={name ?? "State"}>
            <LargeValue name={name} checkpoint={checkpoint} size={size} />
          </Part>
        );
      })}
    </>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <h3 className="mb-1.5 text-small font-medium wrap-anywhere text-ink-3">{title}</h3>
      {children}
    </section>
  );
}

interface StepChangesProps {
  parent: string | undefined;
  state: ThreadSnapshot;
  /** The step is an edit by a person. */
  isEdit: boolean;
}

function StepChanges({ parent, state, isEdit }: StepChangesProps) {
  const { value, isCurrent } = useValues(parent);
  if (parent === undefined || !value) return null;
  const difference = isCurrent ? smallDifferenceOf(value, state) : undefined;
  const large = isCurrent ? largeKeysOf([value, state]) : [];
  return (
    <Part title={isEdit ? "Changed by this edit" : "Changed by this step"}>
      {difference === undefined ? (
        <Loading what="the state before" className="h-8" />
      ) : difference.length === 0 && large.length === 0 ? (
        <p className="text-ink-2">
          {isEdit ? "Nothing: the reducers of the graph kept the values that were there." : "Nothing."}
        </p>
      ) : (
        <>
          <ChangeList difference={difference} most={20} />
          {large.map((one) => (
            <p key={one.key} className="font-mono text-code wrap-anywhere">
              <bdi>{one.key}</bdi>: <span className="text-ink-2">{sizesText(one)}</span>
            </p>
          ))}
        </>
      )}
    </Part>
  );
}

/** Says of a large value what its sizes before and after a step tell. */
function sizesText({ sizes: [before, after] }: LargeKey): string {
  if (before === undefined) return `added, ${fileSize(after ?? 0)}`;
  if (after === undefined) return `removed, ${fileSize(before)}`;
  if (before === after) return `${fileSize(after)} before and after, not compared`;
  return `changed, ${fileSize(before)} before and ${fileSize(after)} after`;
}
