/** Recognises pieces of a message that differ in their text alone, so that the rest of their JSON is made and sent once. */
import { isObject, type JsonObject } from "../../protocol/json.ts";
import { LONGEST_TEMPLATE, type PieceTemplate } from "../../protocol/piece-lines.ts";
import { flatMessage, isList, type LangChainMessage } from "../message.ts";

interface Member {
  event: string;
  fields: JsonObject;
  metadata: unknown;
  /** Undefined before the second piece; null if its text is too long, or not where it is expected. */
  template?: PieceTemplate | null;
}

/** Returns a function that returns the template and the JSON text of a piece, if it continues the message before it. */
export function messageSeries(pairJson: (message: LangChainMessage, metadata: unknown) => string) {
  let last: Member | undefined;
  return (event: string, message: LangChainMessage, metadata: unknown) => {
    const next: Member = { event, fields: fieldsOf(message), metadata };
    if (!last || !continues(last, next)) {
      last = next;
      return undefined;
    }
    const text = JSON.stringify(next.fields.content);
    last.template ??= templateOf(event, pairJson(message, metadata), text) ?? null;
    return last.template && { template: last.template, text };
  };
}

/** Returns no fields of a message that cannot be read, so that nothing continues it. */
function fieldsOf(message: LangChainMessage): JsonObject {
  try {
    return flatMessage(message);
  } catch {
    return {};
  }
}

function continues(before: Member, { event, fields, metadata }: Member): boolean {
  if (before.event !== event || before.metadata !== metadata || typeof fields.content !== "string") return false;
  const names = Object.keys(fields);
  const namesBefore = Object.keys(before.fields);
  if (names.length !== namesBefore.length || names[0] !== "content") return false;
  return names.every((name, at) => name === namesBefore[at] && (at === 0 || isSame(before.fields[name], fields[name])));
}

/** Returns whether two values have the same JSON. Objects may have changed meanwhile, so only empty ones are compared. */
function isSame(before: unknown, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return before === value;
  if (isList(value)) return value.length === 0 && isList(before) && before.length === 0;
  return isEmpty(value) && isObject(before) && isEmpty(before);
}

function isEmpty(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return (prototype === Object.prototype || prototype === null) && Object.keys(value).length === 0;
}

function templateOf(event: string, json: string, text: string): PieceTemplate | undefined {
  const before = '[{"content":';
  if (!json.startsWith(before + text)) return undefined;
  const after = json.slice(before.length + text.length);
  return before.length + after.length > LONGEST_TEMPLATE ? undefined : { event, before, after };
}
