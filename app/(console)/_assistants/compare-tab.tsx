"use client";

import { useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { apiBase } from "#lib/client/api-base.ts";
import type { AssistantApi } from "#lib/client/assistants.ts";
import { exampleInput } from "#lib/client/example-input.ts";
import { newId } from "#lib/client/new-id.ts";
import { VariantRun } from "#lib/client/variant-run.ts";
import type { Assistant } from "#lib/protocol/assistants.ts";
import { comparableState } from "#lib/rules/assistants/draft.ts";
import { differenceOf } from "#lib/rules/studio/state-difference.ts";
import { DifferenceList } from "../_form/difference-list.tsx";
import { SchemaForm } from "../_form/schema-form.tsx";
import { Button } from "../_ui/button.tsx";
import { deploymentPath } from "../_ui/deployment-path.ts";
import { SelectField } from "../_ui/field.tsx";
import { Key } from "../_ui/key.tsx";
import { Notice } from "../_ui/notice.tsx";
import { Loading } from "../_ui/skeleton.tsx";
import type { AssistantsQuery } from "./assistants-query.ts";
import { useSchemas } from "./use-schemas.ts";
import { VariantColumn } from "./variant-column.tsx";

interface CompareTabProps {
  deployment: string;
  api: AssistantApi;
  query: AssistantsQuery;
  assistant: Assistant;
  assistants: readonly Assistant[];
  isEdited: boolean;
}

/** Runs two assistants on the same input, each on a new thread, and shows both side by side. */
export default function CompareTab(props: CompareTabProps) {
  const { query, assistant, assistants, isEdited } = props;
  const others = assistants.filter((one) => one.assistant_id !== assistant.assistant_id);
  const other = others.find((one) => one.assistant_id === query.compare);
  const ofGraph = others.filter((one) => one.graph_id === assistant.graph_id);
  return (
    <div className="flex flex-col gap-5">
      <div className="max-w-100">
        <SelectField
          label={`Compare ${assistant.name} with`}
          value={other?.assistant_id ?? ""}
          hint="Both run in their active versions"
          onChange={({ target: { value } }) => query.compareWith(value === "" ? null : value)}
        >
          <option value="">Choose an assistant</option>
          <Options label={`Of the graph ${assistant.graph_id}`} assistants={ofGraph} />
          <Options label="Of other graphs" assistants={others.filter((one) => !ofGraph.includes(one))} />
        </SelectField>
      </div>
      {isEdited ? (
        <Notice tone="waiting" title="Your changes are not saved">
          The runs use the saved version {assistant.version}.
        </Notice>
      ) : null}
      {others.length === 0 ? (
        <p className="text-ink-2">There is no other assistant. Duplicate this one, and change the copy.</p>
      ) : null}
      {other ? <Comparison key={`${assistant.assistant_id} ${other.assistant_id}`} {...props} other={other} /> : null}
    </div>
  );
}

function Options({ label, assistants }: { label: string; assistants: readonly Assistant[] }) {
  if (assistants.length === 0) return null;
  return (
    <optgroup label={label}>
      {assistants.map((one) => (
        <option key={one.assistant_id} value={one.assistant_id}>
          {one.name} (v{one.version})
        </option>
      ))}
    </optgroup>
  );
}

/** Returns the runs of both assistants. They are followed until the tab closes, and continue on the server. */
function useRuns(base: string, first: string, second: string): readonly [VariantRun, VariantRun] {
  const runs = useMemo(
    () => [new VariantRun({ base, assistant: first }), new VariantRun({ base, assistant: second })] as const,
    [base, first, second],
  );
  useEffect(() => () => runs.forEach((one) => one.leave()), [runs]);
  return runs;
}

const LEFT = 0;
const RIGHT = 1;

function Comparison({ deployment, api, query, assistant, other }: CompareTabProps & { other: Assistant }) {
  const runs = useRuns(apiBase(deployment), assistant.assistant_id, other.assistant_id);
  const [left, right] = [
    useSyncExternalStore(runs[LEFT].subscribe, runs[LEFT].state, runs[LEFT].state),
    useSyncExternalStore(runs[RIGHT].subscribe, runs[RIGHT].state, runs[RIGHT].state),
  ];
  const threads = query.threads?.split("~") ?? [];
  const [restored] = useState(threads);
  useEffect(() => {
    for (const [at, run] of runs.entries()) {
      const thread = restored[at];
      if (thread !== undefined && run.state().phase === "none") void run.restore(thread);
    }
  }, [runs, restored]);
  const isRunning = left.phase === "running" || right.phase === "running";
  const start = (input: unknown): void => {
    const [first, second] = [newId(), newId()];
    query.keepThreads(first, second);
    void runs[LEFT].start(first, input);
    void runs[RIGHT].start(second, input);
  };
  const difference = useMemo(() => {
    if (left.values === undefined || right.values === undefined) return undefined;
    return differenceOf(comparableState(left.values), comparableState(right.values));
  }, [left.values, right.values]);
  const base = deploymentPath(deployment);
  return (
    <>
      <InputForm api={api} assistant={assistant} isRunning={isRunning} onRun={start} />
      <div className="grid gap-4 lg:grid-cols-2">
        {([assistant, other] as const).map((one, at) => (
          <VariantColumn
            key={one.assistant_id}
            run={runs[at === 0 ? LEFT : RIGHT]}
            name={one.name}
            version={one.version}
            thread={threads[at]}
            base={base}
            graph={one.graph_id}
          />
        ))}
      </div>
      {difference ? (
        <section aria-label="Difference of the final states">
          <h3 className="mb-2 font-semibold">
            Difference of the final states <span className="font-normal text-ink-2">without ids</span>
          </h3>
          <DifferenceList difference={difference} none="Both runs end in the same state." />
        </section>
      ) : null}
    </>
  );
}

function InputForm({
  api,
  assistant,
  isRunning,
  onRun,
}: {
  api: AssistantApi;
  assistant: Assistant;
  isRunning: boolean;
  onRun: (input: unknown) => void;
}) {
  const { schemas, isRead } = useSchemas(api, assistant.assistant_id);
  const [typed, setTyped] = useState<{ input: unknown }>();
  const [unreadable, setUnreadable] = useState<string>();
  if (!isRead) return <Loading what="the input's form" className="h-40" />;
  const schema = schemas?.input_schema ?? null;
  const input = typed ? typed.input : exampleInput(schema, "");
  const run = (): void => {
    if (unreadable === undefined && !isRunning) onRun(input);
  };
  return (
    <section aria-label="Input of both" className="rounded-card border border-line p-4">
      <h3 className="mb-3 font-semibold">Input</h3>
      <SchemaForm
        label="Input"
        schema={schema}
        value={input}
        onChange={(next) => setTyped({ input: next })}
        onUnreadable={setUnreadable}
        onSubmit={run}
      />
      <div className="mt-4 flex flex-wrap items-center gap-3">
        <Button variant="primary" disabled={unreadable !== undefined || isRunning} onClick={run}>
          {isRunning ? "Both are running…" : "Run both"}
        </Button>
        <Key>Ctrl Enter</Key>
      </div>
    </section>
  );
}
