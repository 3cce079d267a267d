"use client";

import { Plus, X } from "lucide-react";
import { useId, useState } from "react";
import { isEnvText, readEnvText, type TypedVariable } from "#lib/client/env-text.ts";
import type { DetectedVariable } from "#lib/protocol/preflight.ts";
import { variableNameProblem } from "#lib/protocol/variable-name.ts";
import { Button, IconButton } from "../_ui/button.tsx";
import { TextArea } from "../_ui/field.tsx";

const INPUT =
  "h-9 min-w-0 rounded-control border border-line-strong bg-background px-2.5 font-mono text-code outline-offset-0 aria-invalid:border-bad pointer-coarse:h-10";

const NONE: readonly DetectedVariable[] = [];

/** Edits environment variables as rows. Names that the source uses have a row; a pasted `.env` file becomes rows. */
export function VariablesForm({
  rows,
  onRows,
  detected = NONE,
}: {
  rows: readonly TypedVariable[];
  onRows: (rows: readonly TypedVariable[]) => void;
  detected?: readonly DetectedVariable[];
}) {
  const [pasting, setPasting] = useState(false);
  const wanted = new Set(detected.map((one) => one.name));
  const own = rows.flatMap((row, place) => (wanted.has(row.name) ? [] : [{ row, place }]));
  const change = (place: number, part: Partial<TypedVariable>): void =>
    onRows(rows.map((row, other) => (other === place ? { ...row, ...part } : row)));
  const mergeText = (text: string): void => onRows(merged(rows, readEnvText(text)));
  return (
    <div className="flex flex-col gap-3">
      {own.length + detected.length > 0 ? (
        <ul className="flex flex-col gap-2">
          {detected.map(({ name, from, present }) => (
            <li key={name}>
              <VariableRow
                row={rows.find((row) => row.name === name) ?? { name, value: "" }}
                from={from}
                present={present}
                onChange={({ value = "" }) => onRows(merged(rows, [{ name, value }]))}
                onPaste={mergeText}
              />
            </li>
          ))}
          {own.map(({ row, place }) => (
            <li key={place}>
              <VariableRow
                row={row}
                onChange={(part) => change(place, part)}
                onPaste={mergeText}
                onRemove={() => onRows(rows.filter((_, other) => other !== place))}
              />
            </li>
          ))}
        </ul>
      ) : null}
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => onRows([...rows, { name: "", value: "" }])}>
          <Plus /> Add variable
        </Button>
        <Button variant="quiet" aria-expanded={pasting} onClick={() => setPasting(!pasting)}>
          Paste a .env
        </Button>
      </div>
      {pasting ? (
        <TextArea
          label=".env"
          placeholder={"OPENAI_API_KEY=sk-…\nMODEL=gpt-5"}
          onChange={(event) => {
            if (readEnvText(event.target.value).length > 0) mergeText(event.target.value);
          }}
          hint="Each line becomes a row above."
        />
      ) : null}
    </div>
  );
}

function VariableRow({
  row: { name, value },
  from,
  present = false,
  onChange,
  onPaste,
  onRemove,
}: {
  row: TypedVariable;
  /** The file of the source that names the variable, whose name can then not be changed. */
  from?: string;
  present?: boolean;
  onChange: (part: Partial<TypedVariable>) => void;
  onPaste: (text: string) => void;
  onRemove?: () => void;
}) {
  const id = useId();
  const isFixed = from !== undefined;
  const problem = isFixed ? undefined : nameProblemOf(name);
  const onPasteText = (event: React.ClipboardEvent): void => {
    const text = event.clipboardData.getData("text");
    if (!isEnvText(text)) return;
    event.preventDefault();
    onPaste(text);
  };
  return (
    <div>
      <div className="flex flex-wrap gap-2 sm:flex-nowrap">
        <div className="w-full min-w-0 sm:w-60 sm:shrink-0">
          <input
            aria-label="Name"
            aria-invalid={problem !== undefined}
            aria-describedby={problem === undefined ? undefined : id}
            value={name}
            readOnly={isFixed}
            placeholder="NAME"
            autoComplete="off"
            spellCheck={false}
            onPaste={onPasteText}
            onChange={(event) => onChange({ name: event.target.value })}
            className={`${INPUT} w-full ${isFixed ? "bg-surface text-ink-2" : ""}`}
          />
          {problem === undefined ? null : (
            <p id={id} className="mt-1.5 text-small text-bad">
              {problem}
            </p>
          )}
        </div>
        <input
          aria-label={`Value of ${name || "the variable"}`}
          aria-describedby={isFixed ? id : undefined}
          type="password"
          autoComplete="new-password"
          value={value}
          placeholder={present ? "set by the source" : "value"}
          onPaste={onPasteText}
          onChange={(event) => onChange({ value: event.target.value })}
          className={`${INPUT} flex-1`}
        />
        {onRemove ? (
          <IconButton label={`Remove ${name || "this variable"}`} onClick={onRemove}>
            <X />
          </IconButton>
        ) : (
          <span className="hidden w-8 shrink-0 sm:block" />
        )}
      </div>
      {isFixed ? (
        <p id={id} className="mt-1 text-small text-ink-3">
          named in {from}
          {present || value !== "" ? "" : ", without a value"}
        </p>
      ) : null}
    </div>
  );
}

/** A row without a name is left out, so it has no problem. */
const nameProblemOf = (name: string): string | undefined => (name === "" ? undefined : variableNameProblem(name));

/** Returns whether the server would take the names of all rows. */
export const areNamed = (rows: readonly TypedVariable[]): boolean =>
  rows.every(({ name }) => nameProblemOf(name) === undefined);

/** Replaces the values of existing names, and adds the others. */
function merged(rows: readonly TypedVariable[], changes: readonly TypedVariable[]): TypedVariable[] {
  const values = new Map(changes.map(({ name, value }) => [name, value]));
  const kept = rows.map((row) => ({ ...row, value: values.get(row.name) ?? row.value }));
  return [...kept, ...changes.filter((one) => !rows.some((row) => row.name === one.name))];
}
