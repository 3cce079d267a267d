"use client";

import { Plus } from "lucide-react";
import { useState } from "react";
import { variantsOf } from "#lib/rules/forms/schema-field.ts";
import {
  fits,
  itemField,
  membersOf,
  shownField,
  startValue,
  takesOthers,
  withMember,
} from "#lib/rules/forms/schema-form.ts";
import { Button } from "../_ui/button.tsx";
import { BOX } from "../_ui/field.tsx";
import { ChoiceControl, NumberControl, TextControl } from "./control-fields.tsx";
import { type FieldProps, PartsFrame, titleOf, unsetText } from "./field-frame.tsx";
import { FileControl } from "./file-control.tsx";
import { ItemList } from "./item-list.tsx";
import { JsonControl } from "./json-control.tsx";
import { MessagesField } from "./messages-field.tsx";

/** Shows one part of a value in the control that fits it. */
export function FieldView(props: FieldProps) {
  const { field: given, value, path } = props;
  const field = shownField(given, value, path.length);
  const shown = { ...props, field, aside: given.kind === "union" ? <Variants {...props} /> : null };
  switch (field.kind) {
    case "text":
    case "long-text":
    case "prompt":
      return <TextControl {...shown} />;
    case "number":
    case "integer":
      return <NumberControl {...shown} />;
    case "boolean":
    case "choice":
      return <ChoiceControl {...shown} />;
    case "file":
      return <FileControl {...shown} />;
    case "list":
      return <ListField {...shown} />;
    case "object":
      return <ObjectField {...shown} />;
    case "messages":
      return <MessagesField {...shown} />;
    case "union":
    case "json":
      return <JsonControl {...shown} />;
  }
}

/** Chooses one of the kinds of value that the schema allows. */
function Variants({ field, value, onChange }: FieldProps) {
  const variants = variantsOf(field);
  const at = variants.findIndex((one) => fits(one, value));
  return (
    <select
      aria-label={`Kind of ${titleOf(field)}`}
      className="h-6 rounded-key border border-line bg-raised px-1 text-small pointer-coarse:h-9"
      value={value === undefined || value === null ? 0 : at}
      onChange={({ target }) => {
        const chosen = variants[Number(target.value)];
        if (chosen) onChange(startValue(chosen));
      }}
    >
      {at < 0 && value !== undefined && value !== null ? <option value={-1}>other</option> : null}
      {variants.map((one, place) => (
        // Variants have no names of their own.
        // oxlint-disable-next-line react/no-array-index-key
        <option key={place} value={place}>
          {typeof one.schema.title === "string" ? one.schema.title : one.kind.replace("long-text", "text")}
        </option>
      ))}
    </select>
  );
}

function ObjectField(props: FieldProps) {
  const { field, path, value, onChange } = props;
  const isRoot = path.length === 0;
  if (value === undefined || value === null) {
    if (!isRoot || value === null) return <Absent {...props} />;
  }
  const members = membersOf(field, value);
  return (
    <PartsFrame {...props}>
      <div className="flex flex-col gap-4">
        {members.map((one) => (
          <FieldView
            key={one.key}
            field={one.field}
            path={[...path, one.key]}
            value={one.value}
            onChange={(next) => onChange(withMember(value, one.key, next))}
          />
        ))}
        {members.length === 0 ? <p className="text-small text-ink-3">No fields.</p> : null}
        {takesOthers(field) ? <AddMember {...props} taken={members.map((one) => one.key)} /> : null}
      </div>
    </PartsFrame>
  );
}

/** Adds a member that the schema does not name. */
function AddMember({ field, value, onChange, taken }: FieldProps & { taken: readonly string[] }) {
  const [key, setKey] = useState("");
  const isTaken = taken.includes(key);
  const add = (): void => {
    if (key === "" || isTaken) return;
    const [member] = membersOf({ ...field, schema: { ...field.schema, properties: {} } }, { [key]: null });
    onChange(withMember(value, key, member ? startValue(member.field) : null));
    setKey("");
  };
  return (
    <div className="flex items-center gap-2">
      <input
        aria-label={`Key to add to ${titleOf(field)}`}
        placeholder="Another key"
        value={key}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setKey(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.ctrlKey || event.metaKey) return;
          event.preventDefault();
          add();
        }}
        className={`${BOX} h-8 max-w-60 font-mono text-code pointer-coarse:h-10`}
      />
      <Button variant="quiet" onClick={add} disabled={key === "" || isTaken}>
        <Plus /> {isTaken ? "Exists" : "Add"}
      </Button>
    </div>
  );
}

function ListField(props: FieldProps) {
  const { field, path, value, onChange } = props;
  if (!Array.isArray(value)) return <Absent {...props} />;
  const items: readonly unknown[] = value;
  return (
    <PartsFrame {...props}>
      <ItemList
        what="Item"
        items={items}
        onChange={onChange}
        renderBody={(item, at, onItem) => (
          <FieldView
            field={itemField(field, at)}
            path={[...path, at]}
            value={item}
            // A number that is deleted to be typed anew does not remove its item.
            onChange={(next) => onItem(next ?? (next === null ? null : ""))}
          />
        )}
      />
      <Button
        variant="quiet"
        className="mt-2"
        onClick={() => onChange([...items, startValue(itemField(field, items.length))])}
      >
        <Plus /> Add item
      </Button>
    </PartsFrame>
  );
}

/** A value with parts that is absent or null. */
function Absent(props: FieldProps) {
  const { field, value, onChange } = props;
  return (
    <PartsFrame {...props}>
      <div className="flex items-center gap-3 text-small text-ink-3">
        {unsetText(field, value)}
        <Button variant="quiet" onClick={() => onChange(startValue(field))} aria-label={`Add ${titleOf(field)}`}>
          <Plus /> Add
        </Button>
      </div>
    </PartsFrame>
  );
}
