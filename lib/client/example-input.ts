import { isObject, type JsonObject } from "../protocol/json.ts";

/** Returns whether a graph takes messages. A graph whose schema cannot be read counts as one, because most do. */
export function takesMessages(inputSchema: unknown): boolean {
  return !isObject(inputSchema) || !isObject(inputSchema.properties) || "messages" in inputSchema.properties;
}

/**
 * Returns an input that a graph accepts: the question and the other required members for a graph that takes messages, or
 * else a value for each member of the schema.
 */
export function exampleInput(inputSchema: unknown, question: string): JsonObject {
  const schema = isObject(inputSchema) ? inputSchema : {};
  const example = exampleOf(schema, 0, isObject(schema.$defs) ? schema.$defs : {});
  const values = isObject(example) ? example : {};
  if (!takesMessages(inputSchema)) return values;
  const required: readonly unknown[] = Array.isArray(schema.required) ? schema.required : [];
  const others = Object.entries(values).filter(([name]) => name !== "messages" && required.includes(name));
  return { messages: [{ role: "user", content: question }], ...Object.fromEntries(others) };
}

const DEEPEST = 4;

/** Texts of the formats that schemas check most: https://json-schema.org/draft/2020-12/json-schema-validation#section-7.3 */
const FORMATS: ReadonlyMap<string, string> = new Map([
  ["date", "2026-01-31"],
  ["date-time", "2026-01-31T12:00:00Z"],
  ["time", "12:00:00"],
  ["email", "ada@example.com"],
  ["uri", "https://example.com"],
  ["uuid", "00000000-0000-4000-8000-000000000000"],
]);

function isNull(schema: unknown): boolean {
  return isObject(schema) && (schema.type === "null" || schema.const === null);
}

function exampleOf(schema: unknown, depth: number, defs: JsonObject): unknown {
  if (!isObject(schema) || depth > DEEPEST) return null;
  if (typeof schema.$ref === "string") return exampleOf(defs[schema.$ref.replace("#/$defs/", "")], depth + 1, defs);
  if ("const" in schema) return schema.const;
  if ("default" in schema) return schema.default;
  const listed = [schema.examples, schema.enum].find((list) => Array.isArray(list) && list.length > 0);
  if (Array.isArray(listed)) return listed[0];
  const choice = [schema.anyOf, schema.oneOf].find((list) => Array.isArray(list) && list.length > 0);
  if (Array.isArray(choice)) return exampleOf(choice.find((one) => !isNull(one)) ?? choice[0], depth + 1, defs);
  const type: unknown = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  switch (type) {
    case "string":
      return typeof schema.format === "string" ? (FORMATS.get(schema.format) ?? "text") : "text";
    case "number":
    case "integer":
      return typeof schema.minimum === "number" ? Math.max(1, schema.minimum) : 1;
    case "boolean":
      return true;
    case "array":
      return [];
    case "object":
      return Object.fromEntries(
        Object.entries(isObject(schema.properties) ? schema.properties : {}).map(([name, property]) => [
          name,
          exampleOf(property, depth + 1, defs),
        ]),
      );
    default:
      return null;
  }
}
