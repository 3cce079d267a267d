import { isObject, type JsonObject } from "../protocol/json.ts";

/** Whether a graph can be chatted with. A graph whose schema cannot be read is taken to hold messages, as most do. */
export function takesMessages(inputSchema: unknown): boolean {
  return !isObject(inputSchema) || !isObject(inputSchema.properties) || "messages" in inputSchema.properties;
}

/** An input that a graph accepts: a question where it holds messages, else a value for each key of its schema. */
export function exampleInput(inputSchema: unknown, question: string): JsonObject {
  if (takesMessages(inputSchema)) return { messages: [{ role: "user", content: question }] };
  const example = exampleOf(
    inputSchema,
    0,
    isObject(inputSchema) && isObject(inputSchema.$defs) ? inputSchema.$defs : {},
  );
  return isObject(example) ? example : {};
}

const DEEPEST = 4;

function exampleOf(schema: unknown, depth: number, defs: JsonObject): unknown {
  if (!isObject(schema) || depth > DEEPEST) return null;
  if (typeof schema.$ref === "string") return exampleOf(defs[schema.$ref.replace("#/$defs/", "")], depth + 1, defs);
  if ("const" in schema) return schema.const;
  if ("default" in schema) return schema.default;
  const listed = [schema.examples, schema.enum].find((list) => Array.isArray(list) && list.length > 0);
  if (Array.isArray(listed)) return listed[0];
  const choice = [schema.anyOf, schema.oneOf].find((list) => Array.isArray(list) && list.length > 0);
  if (Array.isArray(choice)) return exampleOf(choice[0], depth + 1, defs);
  const type: unknown = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  switch (type) {
    case "string":
      return "text";
    case "number":
    case "integer":
      return 1;
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
