import type ts from "typescript";
import type { JsonObject } from "../../protocol/json.ts";

const BYTES =
  /^(?:Buffer|ArrayBuffer|SharedArrayBuffer|DataView|(?:Ui|I)nt\d+(?:Clamped)?Array|BigU?[iI]nt64Array|Float\d+Array)$/;

/** Returns the schema of instances that JSON writes in a form of their own; undefined for all others. */
export function instanceSchema(
  type: ts.Type,
  parts: readonly ts.Type[],
  convert: (type: ts.Type) => JsonObject | undefined,
): JsonObject | undefined {
  const name = type.symbol?.name;
  if (name === undefined || !isBuiltIn(type)) return undefined;
  if (BYTES.test(name)) return { type: "string", contentEncoding: "base64" };
  const part = (at: number): JsonObject => (parts[at] && convert(parts[at])) ?? {};
  switch (name) {
    case "Date":
      return { type: "string", format: "date-time" };
    case "URL":
      return { type: "string", format: "uri" };
    case "RegExp":
      return { type: "string" };
    case "Set":
    case "ReadonlySet":
      return { type: "array", items: part(0), uniqueItems: true };
    case "Map":
    case "ReadonlyMap":
      return { type: "object", additionalProperties: part(1) };
    case "Error":
      return { type: "object", properties: { name: { type: "string" }, message: { type: "string" } } };
    default:
      return undefined;
  }
}

function isBuiltIn(type: ts.Type): boolean {
  const file = type.symbol.declarations?.[0]?.getSourceFile().fileName ?? "";
  return /\/typescript\/lib\/|\/@types\/node\//.test(file);
}
