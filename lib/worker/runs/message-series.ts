/** Recognises pieces of a message that differ in their text alone, so that the rest of their JSON is made and sent once. */
import { isObject } from "../../protocol/json.ts";
import { LONGEST_TEMPLATE, type PieceTemplate } from "../../protocol/piece-lines.ts";
import { everyField, flatMessage, isList, type LangChainMessage } from "../message.ts";

interface Member {
  event: string;
  metadata: unknown;
  names: readonly string[];
  values: readonly unknown[];
  /** Undefined before the second piece; null if its text is too long, or not where it is expected. */
  template?: PieceTemplate | null;
}

/** Returns a function that returns the template and the JSON text of a piece, if it continues the message before it. */
export function messageSeries(pairJson: (message: LangChainMessage, metadata: unknown) => string) {
  let last: Member | undefined;
  return (event: string, message: LangChainMessage, metadata: unknown) => {
    if (last?.event !== event || last.metadata !== metadata || !continues(last, message)) {
      last = { event, metadata, ...fieldsOf(message) };
      return undefined;
    }
    const text = JSON.stringify(message.content);
    last.template ??= templateOf(event, pairJson(message, metadata), text) ?? null;
    return last.template && { template: last.template, text };
  };
}

/** Returns no fields of a message that cannot be read, so that nothing continues it. */
function fieldsOf(message: LangChainMessage): Pick<Member, "names" | "values"> {
  try {
    const fields = flatMessage(message);
    return { names: Object.keys(fields), values: Object.values(fields) };
  } catch {
    return { names: [], values: [] };
  }
}

/** Returns whether a message has the fields of the last one, in their order, and another text at most. */
function continues({ names, values }: Member, message: LangChainMessage): boolean {
  let at = 0;
  const isNext = (name: string, value: unknown): boolean => {
    if (name !== names[at]) return false;
    const isSo = at === 0 ? name === "content" && typeof value === "string" : isSame(values[at], value);
    at++;
    return isSo;
  };
  try {
    return everyField(message, isNext) && at === names.length;
  } catch {
    return false;
  }
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
