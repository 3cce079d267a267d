import { isObject, type JsonObject } from "../protocol/json.ts";

/** Returns whether a graph takes messages. A graph whose schema cannot be read counts as one, because most do. */
export function takesMessages(inputSchema: unknown): boolean {
  if (!isObject(inputSchema)) return true;
  const types = typesOf(inputSchema);
  if (types.length > 0 && !types.includes("object")) return false;
  const { properties } = inputSchema;
  return !isObject(properties) || ("messages" in properties && mayBeMessages(properties.messages));
}

const NO_MESSAGES = new Set(["string", "number", "integer", "boolean", "null"]);

/** Returns whether a member called `messages` may be a list of messages. A list of texts or numbers is none. */
function mayBeMessages(schema: unknown): boolean {
  if (!isObject(schema)) return true;
  if (isPlain(schema)) return false;
  const isList = typesOf(schema).includes("array");
  return !(isList && isObject(schema.items) && isPlain(schema.items));
}

/** Returns whether a schema allows nothing but texts, numbers, booleans and null. */
function isPlain(schema: JsonObject): boolean {
  const types = typesOf(schema);
  return types.length > 0 && types.every((type) => NO_MESSAGES.has(type));
}

const typesOf = ({ type }: JsonObject): readonly string[] =>
  [type].flat().filter((one): one is string => typeof one === "string");

/** Returns whether all messages of an input are empty, as the one of an example without a question is. */
export function asksNothing(input: unknown): boolean {
  const messages: readonly unknown[] = isObject(input) && Array.isArray(input.messages) ? input.messages : [];
  return messages.length > 0 && messages.every((message) => isObject(message) && isBlank(message));
}

function isBlank({ content, tool_calls: calls }: JsonObject): boolean {
  const isEmpty = (list: unknown): boolean => Array.isArray(list) && list.length === 0;
  const isSilent = typeof content === "string" ? content.trim() === "" : (content ?? null) === null || isEmpty(content);
  return isSilent && (calls === undefined || isEmpty(calls));
}

/** Returns an input whose messages are one of a person, with the other members of an input. */
export function withMessage(input: unknown, content: string): JsonObject {
  return { ...(isObject(input) ? input : {}), messages: [{ type: "human", content }] };
}

/**
 * Returns an input that a graph accepts: the question and the other required members for a graph that takes messages, or
 * else an example of the schema: a value for each member of an object, an empty list.
 */
export function exampleInput(inputSchema: unknown, question: string): unknown {
  const schema = isObject(inputSchema) ? inputSchema : {};
  const example = exampleOf(schema, 0, isObject(schema.$defs) ? schema.$defs : {});
  if (!takesMessages(inputSchema)) return example ?? {};
  const values = isObject(example) ? example : {};
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
