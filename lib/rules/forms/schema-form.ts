/**
 * Shows any JSON value in the form of a schema. The value itself is the form's state, so that form and raw JSON cannot
 * differ: each field edits its part, and what the schema does not allow or does not know is edited as JSON.
 */
import { isObject, type JsonObject } from "../../protocol/json.ts";
import { isSame } from "./same-value.ts";
import { type Field, fieldOf, type FieldKind, rootField, variantsOf } from "./schema-field.ts";

/** One member of an object, or one item of a list. An absent member has the value undefined. */
export interface Part<Key extends string | number> {
  readonly key: Key;
  readonly field: Field;
  readonly value: unknown;
  /** False for members that the schema does not name. */
  readonly isKnown: boolean;
}

/** Parts that lie deeper than this are shown as JSON. */
export const DEEPEST = 8;

/**
 * Returns the field with which to edit a value: the field itself, the fitting alternative of a union, or a JSON field for a
 * value that the form cannot show.
 */
export function shownField(field: Field, value: unknown, depth = 0): Field {
  if (field.kind === "union") {
    const variants = variantsOf(field);
    const fitting = variants.find((one) => fits(one, value)) ?? (isUnset(value) ? variants[0] : undefined);
    if (!fitting) return asJson(field);
    const { label, description, nullable, nodes } = field;
    const words = { label, description: description ?? fitting.description, nodes };
    return shownField({ ...fitting, ...words, nullable: nullable || fitting.nullable }, value, depth);
  }
  if (isUnset(value)) return field;
  if (depth > DEEPEST && isNested(field.kind)) return asJson(field);
  if (!fits(field, value) && !isText(field.kind, value)) return asJson(field);
  const isLong = field.kind === "text" && typeof value === "string" && /[\n\r]/.test(value);
  return isLong ? { ...field, kind: "long-text" } : field;
}

const isUnset = (value: unknown): boolean => value === undefined || value === null;
const isNested = (kind: FieldKind): boolean => kind === "list" || kind === "object" || kind === "messages";
const asJson = (field: Field): Field => ({ ...field, kind: "json" });

/** Returns whether a value is text that was typed into a field for numbers. It stays text until it is a number. */
const isText = (kind: FieldKind, value: unknown): boolean =>
  typeof value === "string" && (kind === "number" || kind === "integer");

/** Returns whether the control of a field can show a value. */
export function fits(field: Field, value: unknown): boolean {
  switch (field.kind) {
    case "text":
    case "long-text":
    case "prompt":
    case "file":
      return typeof value === "string";
    case "number":
    case "integer":
      return typeof value === "number";
    case "boolean":
      return typeof value === "boolean";
    case "choice":
      return field.options.some((one) => isSame(one, value));
    case "list":
    case "messages":
      return Array.isArray(value);
    case "object":
      return isObject(value);
    case "union":
      return variantsOf(field).some((one) => fits(one, value));
    case "json":
      return true;
  }
}

/** Returns the members that the schema names, in its order, and then those that only the value has. */
export function membersOf({ schema, root }: Field, value: unknown): Part<string>[] {
  const properties = isObject(schema.properties) ? schema.properties : {};
  const required: readonly unknown[] = Array.isArray(schema.required) ? schema.required : [];
  const members = isObject(value) ? value : {};
  const known = Object.entries(properties).map(([key, part]): Part<string> => ({
    key,
    field: fieldOf(part, root, key, required.includes(key)),
    value: Object.hasOwn(members, key) ? members[key] : undefined,
    isKnown: true,
  }));
  const others = Object.entries(members).filter(([key]) => !Object.hasOwn(properties, key));
  return [
    ...known,
    ...others.map(([key, one]) => ({
      key,
      // The label is the key as it is, because a person has chosen it.
      field: { ...fieldOf(schema.additionalProperties, root, key, false), label: key },
      value: one,
      isKnown: false,
    })),
  ];
}

/** Returns whether members may be added that the schema does not name. */
export function takesOthers({ schema }: Field): boolean {
  return schema.additionalProperties !== false && (!isObject(schema.properties) || "additionalProperties" in schema);
}

/** Returns the items of a list. */
export function itemsOf(field: Field, list: readonly unknown[]): Part<number>[] {
  return list.map((value, key) => ({ key, field: itemField(field, key), value, isKnown: true }));
}

/** Returns the field of the item at a position. */
export function itemField({ schema, root, label }: Field, at: number): Field {
  const first: unknown = Array.isArray(schema.prefixItems) ? schema.prefixItems[at] : undefined;
  const field = fieldOf(first ?? schema.items, root, "", true);
  return { ...field, label: field.label || `${label || "Item"} ${at + 1}` };
}

/** Sets a member; undefined removes it. The others keep their order. */
export function withMember(value: unknown, key: string, next: unknown): JsonObject {
  const members = isObject(value) ? value : {};
  if (next !== undefined) return { ...members, [key]: next };
  return Object.fromEntries(Object.entries(members).filter(([name]) => name !== key));
}

/** Sets an item; undefined removes it. */
export function withItem(list: readonly unknown[], at: number, next: unknown): unknown[] {
  return next === undefined ? list.toSpliced(at, 1) : list.with(at, next);
}

/** Moves an item to another position. */
export function withMoved(list: readonly unknown[], from: number, to: number): readonly unknown[] {
  if (from < 0 || to < 0 || from >= list.length || to >= list.length) return list;
  return list.toSpliced(from, 1).toSpliced(to, 0, list[from]);
}

/** Reads what was typed into a field for numbers. Undefined for empty text; text that is no number stays text. */
export function readNumber(text: string): unknown {
  const trimmed = text.trim();
  if (trimmed === "") return undefined;
  const number = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(trimmed) ? Number(trimmed) : Number.NaN;
  return Number.isFinite(number) ? number : text;
}

/** The nesting at which a start value stays empty. */
const DEEPEST_START = 4;

/** Returns the value with which a field begins when a person adds it: its default, else the smallest of its kind. */
export function startValue(field: Field, depth = 0): unknown {
  if ("default" in field.schema) return field.schema.default;
  switch (field.kind) {
    case "text":
    case "long-text":
    case "prompt":
    case "file":
      return "";
    case "number":
    case "integer":
      return nearestToZero(field.schema);
    case "boolean":
      return false;
    case "choice":
      return field.options[0];
    case "list":
      return [];
    case "messages":
      return [{ type: "human", content: "" }];
    case "object": {
      const required = depth < DEEPEST_START ? membersOf(field, {}).filter((one) => one.field.required) : [];
      return Object.fromEntries(required.map((one) => [one.key, startValue(one.field, depth + 1)]));
    }
    case "union": {
      const [first] = variantsOf(field);
      return first && depth < DEEPEST_START ? startValue(first, depth + 1) : null;
    }
    case "json":
      return field.schema.type === "array" ? [] : field.schema.type === "object" ? {} : null;
  }
}

function nearestToZero({ minimum, maximum }: JsonObject): number {
  if (typeof minimum === "number" && minimum > 0) return minimum;
  return typeof maximum === "number" && maximum < 0 ? maximum : 0;
}

/** The prompts of a schema that one node reads; without a node, those that name none. */
export interface NodePrompts {
  readonly node: string | undefined;
  readonly prompts: readonly Field[];
}

/** Returns the prompts of a schema under the nodes that read them. A prompt of several nodes stands under each. */
export function promptsByNode(schema: unknown): NodePrompts[] {
  const groups = new Map<string | undefined, Field[]>();
  for (const { field } of membersOf(rootField(schema), {})) {
    if (field.kind !== "prompt") continue;
    for (const node of field.nodes.length > 0 ? new Set(field.nodes) : [undefined]) {
      groups.set(node, [...(groups.get(node) ?? []), field]);
    }
  }
  return [...groups].map(([node, prompts]) => ({ node, prompts }));
}
