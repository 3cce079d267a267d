"use client";

import { Pencil } from "lucide-react";
import type { ReactNode } from "react";
import { isObject } from "#lib/protocol/json.ts";
import { differenceOf } from "#lib/rules/studio/state-difference.ts";
import { checkpointIdOf } from "#lib/rules/threads/read-state.ts";
import { JsonView } from "../_form/json-view.tsx";
import { Button } from "../_ui/button.tsx";
import { LoadFailure } from "../_ui/notice.tsx";
import { Loading } from "../_ui/skeleton.tsx";
import { ChangeList } from "./change-list.tsx";
import { isMessageList, MessageList } from "./message-list.tsx";
import { StateEditor } from "./state-editor.tsx";
import { useStudio } from "./studio-context.ts";
import { useShown } from "./use-shown.ts";
import { useValues } from "./use-values.ts";

/** The state at the shown checkpoint, what the step changed, and the comparison with another branch. */
export default function StateTab() {
  const { query, setQuery, state } = useStudio();
  const { checkpoint, head } = useShown();
  const { value, isCurrent, failure, retry } = useValues(checkpoint);
  if (failure !== undefined) {
    return (
      <div className="p-4">
        <LoadFailure what="The state" onRetry={() => void retry()}>
          {failure}
        </LoadFailure>
      </div>
    );
  }
  if (checkpoint === undefined && !query.edit) {
    return <p className="p-4 text-ink-2">The thread has no state yet. Its first run writes one.</p>;
  }
  // The editor begins with the values, so it waits for those of the shown checkpoint.
  if (checkpoint !== undefined && !(query.edit ? isCurrent : value)) {
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
      {query.compare === null ? (
        <StepChanges parent={checkpointIdOf(value?.parent_checkpoint)} values={values} />
      ) : (
        <Comparison other={query.compare} values={values} />
      )}
      <Values values={values} />
    </div>
  );
}

/** Returns the node whose update the state shows, as far as the metadata tell. */
function lastNodeOf(head: { metadata?: unknown } | undefined): string | undefined {
  const writes = isObject(head?.metadata) ? head.metadata.writes : undefined;
  return isObject(writes) ? Object.keys(writes)[0] : undefined;
}

function Values({ values }: { values: unknown }) {
  if (!isObject(values)) return <JsonView label="State" value={values} />;
  const keys = Object.entries(values);
  if (keys.length === 0) return <p className="text-ink-2">The state is empty.</p>;
  return keys.map(([key, value]) => (
    <Part key={key} title={key}>
      {isMessageList(value) ? <MessageList messages={value} /> : <JsonView label={key} value={value} />}
    </Part>
  ));
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <h3 className="mb-1.5 text-small font-medium wrap-anywhere text-ink-3">{title}</h3>
      {children}
    </section>
  );
}

function StepChanges({ parent, values }: { parent: string | undefined; values: unknown }) {
  const { value, isCurrent } = useValues(parent);
  if (parent === undefined || !value) return null;
  const difference = isCurrent ? differenceOf(value.values, values) : undefined;
  return (
    <Part title="Changed by this step">
      {difference === undefined ? (
        <Loading what="the state before" className="h-8" />
      ) : difference.length === 0 ? (
        <p className="text-ink-2">Nothing.</p>
      ) : (
        <ChangeList difference={difference} most={20} />
      )}
    </Part>
  );
}

function Comparison({ other, values }: { other: string; values: unknown }) {
  const { setQuery } = useStudio();
  const { value, isCurrent, failure, retry } = useValues(other);
  const difference = value && isCurrent ? differenceOf(values, value.values) : undefined;
  return (
    <Part title={`From here to ${other.slice(-6)}`}>
      {failure === undefined ? null : (
        <LoadFailure what="The other state" onRetry={() => void retry()}>
          {failure}
        </LoadFailure>
      )}
      {difference ? (
        <div className="rounded-card border border-line p-3">
          {difference.length === 0 ? (
            <p className="text-ink-2">Both states are equal.</p>
          ) : (
            <ChangeList difference={difference} most={60} />
          )}
        </div>
      ) : failure === undefined ? (
        <Loading what="the other state" className="h-10" />
      ) : null}
      <Button variant="quiet" className="mt-2" onClick={() => void setQuery({ compare: null })}>
        End the comparison
      </Button>
    </Part>
  );
}
