import type ts from "typescript";
import type { JsonObject } from "../../protocol/json.ts";

/** The TypeScript compiler, which is loaded on demand. */
export type TypeScript = typeof import("typescript");

/** A JSON Schema. Undefined for a type that has no JSON values, or no schema here. */
export type Schema = JsonObject | undefined;

/** Returns the schema of a type without parts; undefined for all others. */
export function primitive(ts: TypeScript, checker: ts.TypeChecker, type: ts.Type): Schema {
  const { TypeFlags } = ts;
  const { flags } = type;
  if (type.isStringLiteral()) return { type: "string", const: type.value };
  if (type.isNumberLiteral()) return { type: "number", const: type.value };
  if (flags & TypeFlags.BooleanLiteral) return { type: "boolean", const: checker.typeToString(type) === "true" };
  if (flags & TypeFlags.StringLike) return { type: "string" };
  if (flags & TypeFlags.NumberLike) return { type: "number" };
  if (flags & TypeFlags.BooleanLike) return { type: "boolean" };
  if (flags & TypeFlags.BigIntLike) return { type: "string", pattern: "^-?\\d+$" };
  if (flags & TypeFlags.Null) return { type: "null" };
  if (flags & TypeFlags.NonPrimitive) return { type: "object" };
  return undefined;
}

/** Joins schemas. Constants of one type become an `enum`, duplicates are dropped, and an open schema opens all. */
export function anyOf(schemas: readonly JsonObject[]): JsonObject {
  const constants = Map.groupBy(
    schemas.filter((schema) => "const" in schema),
    (schema) => schema.type,
  );
  const found = new Map<string, JsonObject>();
  for (const schema of schemas) {
    const group = "const" in schema ? (constants.get(schema.type) ?? []) : [];
    const values = group.map((one) => one.const);
    let one = schema;
    if (schema.type === "boolean" && values.length > 1) one = { type: "boolean" };
    else if (values.length > 1) one = { type: schema.type, enum: values };
    found.set(JSON.stringify(one), one);
  }
  const isNull = (one: JsonObject): number => (one.type === "null" ? 1 : 0);
  const members = [...found.values()].toSorted((a, b) => isNull(a) - isNull(b));
  if (members.some((one) => Object.keys(one).length === 0)) return {};
  const [only] = members;
  return only && members.length === 1 ? only : { anyOf: members };
}
