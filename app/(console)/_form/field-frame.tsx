"use client";

import { X } from "lucide-react";
import { type AriaAttributes, type ReactNode, useId } from "react";
import { pathText } from "#lib/rules/forms/schema-problems.ts";
import type { Field } from "#lib/rules/forms/schema-field.ts";
import { IconButton } from "../_ui/button.tsx";
import { Frame } from "../_ui/field.tsx";
import { useForm } from "./form-context.ts";

/** The attributes of a component that edits one part of a value. An absent value is undefined. */
export interface FieldProps {
  readonly field: Field;
  readonly path: readonly (string | number)[];
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

/** The label of a single control, with buttons that make the value null or absent, and what differs from the schema. */
export function ControlFrame({
  field,
  path,
  value,
  onChange,
  aside,
  children,
}: FieldProps & { aside?: ReactNode; children: (control: { id: string } & AriaAttributes) => ReactNode }) {
  return (
    <Frame
      label={titleOf(field)}
      hint={<Hint field={field} path={path} />}
      aside={
        <span className="flex shrink-0 items-center gap-1">
          {aside}
          <Unset field={field} path={path} value={value} onChange={onChange} />
        </span>
      }
    >
      {children}
    </Frame>
  );
}

/** A fieldset for a value with parts. */
export function PartsFrame({
  field,
  path,
  value,
  onChange,
  aside,
  children,
}: FieldProps & { aside?: ReactNode; children: ReactNode }) {
  const id = useId();
  const isRoot = path.length === 0;
  return (
    <fieldset
      aria-labelledby={isRoot ? undefined : id}
      aria-describedby={`${id}-hint`}
      className={`min-w-0 ${isRoot ? "" : "rounded-control border border-line p-3"}`}
    >
      {isRoot ? null : (
        <div className="mb-2 flex min-h-7 flex-wrap items-center justify-between gap-x-2">
          <span id={id} className="min-w-0 font-medium wrap-anywhere">
            {titleOf(field)}
          </span>
          <span className="flex shrink-0 items-center gap-1">
            {aside}
            <Unset field={field} path={path} value={value} onChange={onChange} />
          </span>
        </div>
      )}
      <div id={`${id}-hint`} className="text-small wrap-anywhere text-ink-3 not-empty:mb-2">
        <Hint field={field} path={path} />
      </div>
      {children}
    </fieldset>
  );
}

export const titleOf = (field: Field): string => field.label || "Value";

function Hint({ field, path }: { field: Field; path: FieldProps["path"] }) {
  const problem = useForm().problems.get(pathText(path));
  if (field.description === undefined && problem === undefined && field.nodes.length === 0) return null;
  return (
    <>
      {field.nodes.length === 0 ? null : (
        <span className="block">
          Read by {field.nodes.length === 1 ? "node" : "nodes"}{" "}
          <span className="font-mono">{field.nodes.join(", ")}</span>
        </span>
      )}
      {field.description === undefined ? null : <span className="block whitespace-pre-wrap">{field.description}</span>}
      {problem === undefined ? null : <span className="block text-waiting">{problem}</span>}
    </>
  );
}

/** Buttons that set null, where the schema allows it, and that remove the value. */
function Unset({ field, path, value, onChange }: FieldProps) {
  const inList = typeof path.at(-1) === "number";
  return (
    <>
      {field.nullable && value !== null ? (
        <button
          type="button"
          aria-label={`Set ${titleOf(field)} to null`}
          onClick={() => onChange(null)}
          className="h-6 rounded-key px-1.5 font-mono text-small text-ink-3 hover:bg-well hover:text-ink pointer-coarse:h-9"
        >
          null
        </button>
      ) : null}
      {value !== undefined && path.length > 0 && !inList ? (
        <IconButton
          size="small"
          label={`Unset ${titleOf(field)}`}
          onClick={() => onChange(undefined)}
          className="-my-1.5"
        >
          <X />
        </IconButton>
      ) : null}
    </>
  );
}

/** Says that a field has no value. */
export function unsetText(field: Field, value: unknown): string {
  if (value === null) return "null";
  return "default" in field.schema ? `Default: ${JSON.stringify(field.schema.default).slice(0, 80)}` : "Not set";
}
