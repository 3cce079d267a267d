"use client";

import { useState } from "react";
import { isSame } from "#lib/rules/forms/same-value.ts";
import { readNumber } from "#lib/rules/forms/schema-form.ts";
import { BOX } from "../_ui/field.tsx";
import { ControlFrame, type FieldProps, unsetText } from "./field-frame.tsx";

const LINE = `${BOX} h-9 pointer-coarse:h-10`;
const AREA = `${BOX} field-sizing-content block max-h-[60dvh] resize-y py-2`;

export function TextControl(props: FieldProps) {
  const { field, value, onChange } = props;
  const common = {
    value: typeof value === "string" ? value : "",
    placeholder: unsetText(field, value),
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
  };
  return (
    <ControlFrame {...props}>
      {(control) =>
        field.kind === "text" ? (
          <input {...control} {...common} autoComplete="off" spellCheck={false} className={LINE} />
        ) : (
          <textarea
            {...control}
            {...common}
            rows={field.kind === "prompt" ? 6 : 1}
            className={`${AREA} ${field.kind === "prompt" ? "min-h-36" : "min-h-9"}`}
          />
        )
      }
    </ControlFrame>
  );
}

export function NumberControl(props: FieldProps) {
  const { field, value, onChange } = props;
  // The typed text is kept while it means the value, because "1." would else become "1".
  const [typed, setTyped] = useState<{ text: string; value: unknown }>();
  const text = typeof value === "number" || typeof value === "string" ? String(value) : "";
  return (
    <ControlFrame {...props}>
      {(control) => (
        <input
          {...control}
          inputMode={field.kind === "integer" ? "numeric" : "decimal"}
          autoComplete="off"
          className={LINE}
          placeholder={unsetText(field, value)}
          value={typed !== undefined && Object.is(typed.value, value) ? typed.text : text}
          onChange={(event) => {
            const read = readNumber(event.target.value);
            setTyped({ text: event.target.value, value: read });
            onChange(read);
          }}
        />
      )}
    </ControlFrame>
  );
}

const UNSET = "unset";
const NULL = "null";

/** A select for booleans and for values that the schema lists. */
export function ChoiceControl(props: FieldProps) {
  const { field, value, onChange } = props;
  const options = field.kind === "boolean" ? [true, false] : field.options;
  const at = options.findIndex((one) => isSame(one, value));
  const chosen = value === undefined ? UNSET : value === null && at < 0 ? NULL : String(at);
  return (
    <ControlFrame {...props} field={{ ...field, nullable: false }}>
      {(control) => (
        <select
          {...control}
          className={LINE}
          value={chosen}
          onChange={({ target }) =>
            onChange(target.value === UNSET ? undefined : target.value === NULL ? null : options[Number(target.value)])
          }
        >
          {field.required && value !== undefined ? null : <option value={UNSET}>{unsetText(field, undefined)}</option>}
          {field.nullable || chosen === NULL ? <option value={NULL}>null</option> : null}
          {options.map((option, place) => (
            <option key={JSON.stringify(option)} value={place}>
              {typeof option === "string" ? option : JSON.stringify(option)}
            </option>
          ))}
        </select>
      )}
    </ControlFrame>
  );
}
