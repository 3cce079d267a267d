import { isObject, type JsonObject } from "../../protocol/json.ts";
import { capitalised } from "../interrupts/answer-form.ts";

export type FieldKind =
  | "text"
  | "long-text"
  | "prompt"
  | "number"
  | "integer"
  | "boolean"
  | "choice"
  | "list"
  | "object"
  | "messages"
  | "union"
  | "file"
  /** The value has no form, so it is written as JSON. */
  | "json";

/** The form field of one part of a JSON Schema. Its members and items are computed on demand, because schemas may be recursive. */
export interface Field {
  readonly kind: FieldKind;
  readonly name: string;
  readonly label: string;
  readonly description?: string | undefined;
  readonly required: boolean;
  readonly nullable: boolean;
  /** The values of a choice. */
  readonly options: readonly unknown[];
  /** The nodes that read the value (`langgraph_nodes`). */
  readonly nodes: readonly string[];
  /** The schema without references and without null. */
  readonly schema: JsonObject;
  /** The whole schema, to which references lead. */
  readonly root: JsonObject;
}

/** The number of references and parts that are followed for one field. It ends those that lead to themselves. */
const MOST_STEPS = 200;
/** More alternatives than these are not offered. */
const MOST_VARIANTS = 50;

/** The references and parts that may still be followed. */
interface Budget {
  left: number;
}

const budget = (): Budget => ({ left: MOST_STEPS });

/** Returns the field of a whole schema. Total; a missing or unreadable schema gives a JSON field. */
export function rootField(schema: unknown): Field {
  return fieldOf(schema, isObject(schema) ? schema : {}, "", true);
}

/** Returns the field of a part of a schema. */
export function fieldOf(part: unknown, above: JsonObject, name: string, required: boolean): Field {
  // A part with a dialect of its own is a schema of its own, whose references begin at it.
  const root = isObject(part) && "$schema" in part && part !== above ? { ...above, ...part } : above;
  const { schema, nullable } = plainSchema(part, root, budget());
  const options = optionsOf(schema, root);
  return {
    kind: options.length > 0 ? "choice" : kindOf(schema, root, name),
    name,
    label: typeof schema.title === "string" && schema.title.trim() !== "" ? schema.title : labelOf(name),
    description: typeof schema.description === "string" ? schema.description : undefined,
    required,
    nullable,
    options,
    nodes: Array.isArray(schema.langgraph_nodes) ? schema.langgraph_nodes.filter((one) => typeof one === "string") : [],
    schema,
    root,
  };
}

function labelOf(name: string): string {
  return capitalised(name.replaceAll(/[_-]+/g, " ").trim()) || name;
}

/** Returns the alternatives of a union, and of a schema with several types. None of them is a union. */
export function variantsOf(field: Field): Field[] {
  const inner = alternativesOf(field).flatMap((one) => (one.kind === "union" ? alternativesOf(one) : [one]));
  return inner.slice(0, MOST_VARIANTS).map((one) => (one.kind === "union" ? { ...one, kind: "json" } : one));
}

const alternativesOf = ({ schema, root, name, required }: Field): Field[] =>
  branchesOf(schema)
    .slice(0, MOST_VARIANTS)
    .map((branch) => fieldOf(branch, root, name, required));

interface PlainSchema {
  readonly schema: JsonObject;
  readonly nullable: boolean;
}

/** Follows references, merges `allOf`, and separates null from the other types. */
function plainSchema(part: unknown, root: JsonObject, steps: Budget): PlainSchema {
  if (!isObject(part) || steps.left-- <= 0) return { schema: {}, nullable: false };
  if (typeof part.$ref === "string") {
    const { $ref, ...beside } = part;
    return plainSchema({ ...targetOf($ref, root), ...beside }, root, steps);
  }
  if (Array.isArray(part.allOf)) {
    const { allOf, ...beside } = part;
    const parts = allOf.map((one) => plainSchema(one, root, steps).schema);
    return plainSchema([...parts, beside].reduce<JsonObject>(merged, {}), root, steps);
  }
  const branches = branchesOf(part);
  if (branches.length === 0) return { schema: part, nullable: part.nullable === true || part.const === null };
  const others = branches.filter((one) => !isNull(one, root, steps));
  const isNullable = others.length < branches.length;
  const { anyOf: _, oneOf: __, type, ...beside } = part;
  if (others.length === 1) {
    const only = plainSchema(others[0], root, steps);
    return { schema: { ...only.schema, ...beside }, nullable: isNullable || only.nullable };
  }
  const isTyped = typeof type === "string" ? { type } : {};
  return { schema: { ...beside, ...isTyped, anyOf: others }, nullable: isNullable };
}

/** Returns the alternatives of a schema without those of its references. */
function branchesOf(schema: JsonObject): readonly unknown[] {
  for (const list of [schema.anyOf, schema.oneOf]) if (Array.isArray(list) && list.length > 0) return list;
  if (!Array.isArray(schema.type)) return [];
  const { type, ...beside } = schema;
  return type.map((one: unknown) => ({ ...(one === "null" ? {} : beside), type: one }));
}

function isNull(branch: unknown, root: JsonObject, steps: Budget): boolean {
  if (!isObject(branch) || steps.left-- <= 0) return false;
  if (typeof branch.$ref === "string") return isNull(targetOf(branch.$ref, root), root, steps);
  return branch.type === "null" || branch.const === null;
}

function merged(before: JsonObject, next: JsonObject): JsonObject {
  const properties = { ...asObject(before.properties), ...asObject(next.properties) };
  const required = [before.required, next.required].flatMap((one): unknown[] => (Array.isArray(one) ? one : []));
  return {
    ...before,
    ...next,
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required }),
  };
}

/** Returns the target of a reference inside of the schema (a JSON pointer, RFC 6901); `{}` if there is none. */
function targetOf(reference: string, root: JsonObject): JsonObject {
  if (!reference.startsWith("#")) return {};
  let found: unknown = root;
  for (const part of reference.slice(1).split("/").slice(1)) {
    const name = decoded(part).replaceAll("~1", "/").replaceAll("~0", "~");
    const list: unknown = found;
    if (Array.isArray(list)) found = list[Number(name)];
    else found = isObject(found) && Object.hasOwn(found, name) ? found[name] : undefined;
  }
  return asObject(found);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function optionsOf(schema: JsonObject, root: JsonObject): readonly unknown[] {
  if ("const" in schema) return [schema.const];
  if (Array.isArray(schema.enum)) return schema.enum.filter((one) => one !== null);
  const steps = budget();
  const branches = branchesOf(schema).map((one) => plainSchema(one, root, steps).schema);
  const all = branches.map((one) => ("const" in one ? [one.const] : Array.isArray(one.enum) ? one.enum : undefined));
  return all.every((one) => one !== undefined) ? all.flat() : [];
}

function kindOf(schema: JsonObject, root: JsonObject, name: string): FieldKind {
  if (isMessages(schema, root, name)) return "messages";
  if (branchesOf(schema).length > 0) return "union";
  switch (typeOf(schema)) {
    case "string":
      return textKindOf(schema);
    case "number":
      return "number";
    case "integer":
      return "integer";
    case "boolean":
      return "boolean";
    case "array":
      return "items" in schema || "prefixItems" in schema ? "list" : "json";
    case "object":
      return isObject(schema.properties) || isObject(schema.additionalProperties) ? "object" : "json";
    default:
      return "json";
  }
}

/** Returns the type, also where a schema has only the members of one. */
function typeOf(schema: JsonObject): unknown {
  if (schema.type !== undefined) return schema.type;
  if (isObject(schema.properties)) return "object";
  return isObject(schema.items) ? "array" : undefined;
}

/** Strings of at most this length have one line. */
const LONGEST_LINE = 120;

function textKindOf(schema: JsonObject): FieldKind {
  if (schema.langgraph_type === "prompt") return "prompt";
  if (schema.contentEncoding === "base64" || schema.format === "binary" || schema.format === "byte") return "file";
  const isShort = typeof schema.maxLength === "number" && schema.maxLength <= LONGEST_LINE;
  return isShort || "format" in schema || "pattern" in schema ? "text" : "long-text";
}

/** Returns whether a schema is a list of LangChain's messages: by its mark, by its items, or by its name. */
function isMessages(schema: JsonObject, root: JsonObject, name: string): boolean {
  if (schema.langgraph_type === "messages") return true;
  const type = typeOf(schema);
  const branches = branchesOf(schema);
  if (branches.some((one) => isObject(one) && one.langgraph_type === "messages")) return true;
  if (type !== undefined && type !== "array") return false;
  if (name === "messages" && branches.length === 0 && (type === undefined || !("items" in schema))) return true;
  const { properties } = plainSchema(schema.items, root, budget()).schema;
  return isObject(properties) && "content" in properties && ("type" in properties || "role" in properties);
}

const asObject = (value: unknown): JsonObject => (isObject(value) ? value : {});
