"use client";

import { Play } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useState } from "react";
import type { JsonObject } from "#lib/protocol/json.ts";
import { isObject } from "#lib/protocol/json.ts";
import type { MultitaskStrategy } from "#lib/protocol/runs.ts";
import type { FieldDrafts } from "#lib/rules/forms/field-drafts.ts";
import { SchemaForm } from "../_form/schema-form.tsx";
import { Button, ButtonLink } from "../_ui/button.tsx";
import { deploymentPath } from "../_ui/deployment-path.ts";
import { CheckField, SelectField, TextField } from "../_ui/field.tsx";
import { Key } from "../_ui/key.tsx";
import { Loading } from "../_ui/skeleton.tsx";
import { InputHistory } from "./input-history.tsx";
import { rememberInput } from "./earlier-inputs.ts";
import { useStudio } from "./studio-context.ts";
import { useRunActions } from "./use-run-actions.ts";

/** The input of the next run as a form, and its settings. */
export default function InputTab() {
  const { info, input, setInput, unreadInput, setUnreadInput, drafts, keepDrafts, start, deployment, graph } =
    useStudio();
  const { canRun } = useRunActions();
  const [unreadable, setUnreadable] = useState<string>();
  // A form that is drawn without its schema would be an editor of JSON for good.
  if (!info.isReady) return <Loading what="the input's form" className="m-4 h-40" />;
  const run = () => {
    if (!canRun || unreadable !== undefined) return;
    rememberInput("inputs", deployment, graph, input);
    void start({ input });
  };
  return (
    <div className="flex flex-col gap-6 p-4">
      <section aria-label="Input" className="flex flex-col gap-3">
        <InputHistory onChoose={setInput} />
        <SchemaForm
          label="Input"
          schema={info.schemas?.input_schema}
          value={input}
          onChange={setInput}
          onUnreadable={setUnreadable}
          unreadText={unreadInput}
          onUnreadText={setUnreadInput}
          drafts={drafts.input}
          onDrafts={(next) => keepDrafts("input", next)}
          onSubmit={run}
        />
        <Button variant="primary" disabled={!canRun || unreadable !== undefined} onClick={run} className="w-fit">
          <Play /> Run with this input <Key>Ctrl Enter</Key>
        </Button>
      </section>
      <Settings onSubmit={run} />
    </div>
  );
}

const STRATEGIES: Record<(typeof MULTITASK)[number], string> = {
  reject: "Reject the new run",
  enqueue: "Run after it",
  interrupt: "Stop it, keep its work",
  rollback: "Stop it, undo its work",
};

// The schema would bring zod into the browser, so the names are listed here, and their type is checked.
const MULTITASK = ["reject", "enqueue", "interrupt", "rollback"] as const satisfies readonly MultitaskStrategy[];

function Settings({ onSubmit }: { onSubmit: () => void }) {
  const { assistants, options, settings, setQuery, info, deployment, drafts, keepDrafts } = useStudio();
  const { pauseEverywhere, recursionLimit, multitask, subgraphs, change } = settings;
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.defaultPrevented) return;
    event.preventDefault();
    onSubmit();
  };
  return (
    // The keys reach this section from the controls inside.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      aria-label="Settings of the run"
      onKeyDown={onKeyDown}
      className="flex flex-col gap-4 border-t border-line pt-4"
    >
      <h2 className="font-semibold">Settings of the run</h2>
      <div className="flex items-end gap-2">
        <SelectField
          label="Assistant"
          value={options.assistant}
          onChange={(event) => void setQuery({ assistant: event.target.value })}
          className="flex-1"
        >
          {assistants.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
        <ButtonLink
          href={`${deploymentPath(deployment)}/assistants?assistant=${encodeURIComponent(options.assistant)}`}
        >
          Configure
        </ButtonLink>
      </div>
      <Fold
        title="Configuration of this run"
        isSet={settings.configurable !== undefined || hasDrafts(drafts.configurable)}
      >
        <SchemaForm
          compact
          label="Configuration"
          schema={info.schemas?.config_schema}
          value={settings.configurable}
          onChange={(value) => change({ configurable: objectOf(value) })}
          drafts={drafts.configurable}
          onDrafts={(next) => keepDrafts("configurable", next)}
          onSubmit={onSubmit}
        />
      </Fold>
      <Fold title="Context of this run" isSet={settings.context !== undefined || hasDrafts(drafts.context)}>
        <SchemaForm
          compact
          label="Context"
          schema={info.schemas?.context_schema}
          value={settings.context}
          onChange={(value) => change({ context: objectOf(value) })}
          drafts={drafts.context}
          onDrafts={(next) => keepDrafts("context", next)}
          onSubmit={onSubmit}
        />
      </Fold>
      <CheckField
        label="Pause before every node"
        hint="Each step waits for Continue."
        checked={pauseEverywhere}
        onChange={(event) => change({ pauseEverywhere: event.target.checked })}
      />
      <Stops />
      <CheckField
        label="Stream subgraphs"
        hint="The nodes inside of subgraphs light up, too."
        checked={subgraphs}
        onChange={(event) => change({ subgraphs: event.target.checked })}
      />
      <div className="flex gap-3">
        <TextField
          label="Recursion limit"
          hint="Steps, 25 if empty"
          inputMode="numeric"
          className="w-32"
          value={recursionLimit === undefined ? "" : `${recursionLimit}`}
          onChange={(event) => change({ recursionLimit: limitOf(event.target.value) })}
        />
        <SelectField
          label="If a run is going on"
          className="flex-1"
          value={multitask ?? "reject"}
          onChange={(event) => change({ multitask: MULTITASK.find((one) => one === event.target.value) })}
        >
          {MULTITASK.map((one) => (
            <option key={one} value={one}>
              {STRATEGIES[one]}
            </option>
          ))}
        </SelectField>
      </div>
    </section>
  );
}

/** The breakpoints, each with a button that removes it. */
function Stops() {
  const { settings } = useStudio();
  const { before, after } = settings.breakpoints;
  const stops = [
    ...[...before].map((node) => ({ node, side: "before" as const })),
    ...[...after].map((node) => ({ node, side: "after" as const })),
  ];
  if (stops.length === 0) return null;
  return (
    <div className="text-small text-ink-2">
      Stops{" "}
      {stops.map(({ node, side }, index) => (
        <span key={`${side} ${node}`}>
          {index > 0 ? ", " : ""}
          {side}{" "}
          <button
            type="button"
            className="rounded-key font-medium text-ink underline underline-offset-2"
            title="Remove this breakpoint"
            onClick={() => settings.toggleBreakpoint(node, side)}
          >
            {node}
          </button>
        </span>
      ))}
    </div>
  );
}

const MOST_STEPS = 10_000;

function limitOf(text: string): number | undefined {
  const typed = Number.parseInt(text, 10);
  return Number.isNaN(typed) || typed < 1 ? undefined : Math.min(MOST_STEPS, typed);
}

const objectOf = (value: unknown): JsonObject | undefined =>
  isObject(value) && Object.keys(value).length > 0 ? value : undefined;

const hasDrafts = (drafts: FieldDrafts | undefined): boolean => drafts !== undefined && drafts.size > 0;

function Fold({ title, isSet, children }: { title: string; isSet: boolean; children: ReactNode }) {
  return (
    <details open={isSet} className="rounded-card border border-line">
      <summary className="min-h-9 rounded-card px-3 py-2 font-medium">{title}</summary>
      <div className="px-3 pb-3">{children}</div>
    </details>
  );
}
