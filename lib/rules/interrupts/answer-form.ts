import { isObject, type JsonObject, parseJson } from "../../protocol/json.ts";

/** One property of an answer. */
export interface Field {
  readonly name: string;
  readonly kind: "text" | "number" | "boolean" | "choice" | "json";
  readonly label: string;
  readonly description?: string;
  readonly required: boolean;
  readonly options: readonly string[];
  readonly start: string;
}

/** A way to answer that is one button. */
export interface Choice {
  readonly value: string;
  /** Asked for after the button was pressed. */
  readonly fields: readonly Field[];
}

/** What an interrupt asks for. */
export type AnswerForm =
  /** Words, given as they are. */
  | { readonly kind: "words" }
  /** Buttons; `name` is the property that says which was pressed, absent where the answer is the word itself. */
  | { readonly kind: "choices"; readonly name?: string; readonly choices: readonly Choice[] }
  /** The properties of an object. */
  | { readonly kind: "fields"; readonly fields: readonly Field[] };

export interface Asked {
  readonly question: string;
  readonly draft?: string;
  /** What has no place of its own, as JSON. */
  readonly rest?: string;
  readonly form: AnswerForm;
}

const QUESTION = "The run waits for an answer";

/** A graph may interrupt with anything. A question, a draft and a schema of the answer are known by these names. */
export function readInterrupt(value: unknown): Asked {
  if (typeof value === "string") return { question: value, form: { kind: "words" } };
  if (!isObject(value)) return { question: QUESTION, rest: json(value), form: { kind: "words" } };
  const { question, draft, schema, ...others } = value;
  return {
    question: typeof question === "string" ? question : QUESTION,
    draft: typeof draft === "string" ? draft : undefined,
    rest: Object.keys(others).length > 0 ? json(others) : undefined,
    form: formOf(schema, typeof draft === "string" ? draft : ""),
  };
}

function formOf(schema: unknown, draft: string): AnswerForm {
  if (!isObject(schema)) return { kind: "words" };
  if (Array.isArray(schema.enum)) {
    return { kind: "choices", choices: wordsIn(schema.enum).map((value) => ({ value, fields: [] })) };
  }
  const properties = isObject(schema.properties) ? Object.entries(schema.properties) : [];
  const required: readonly unknown[] = Array.isArray(schema.required) ? schema.required : [];
  const fields = properties.map(([name, of]) => fieldOf(name, isObject(of) ? of : {}, required.includes(name), draft));
  if (fields.length === 0) return { kind: "words" };
  const decisive = fields.find((field) => field.kind === "choice" && field.required) ?? only(fields);
  if (!decisive) return { kind: "fields", fields };
  const others = fields.filter((field) => field !== decisive);
  return {
    kind: "choices",
    name: decisive.name,
    choices: decisive.options.map((value) => ({
      value,
      // What is optional is asked for only where the choice is to write something.
      fields: isToWrite(value)
        ? others.map((field) => ({ ...field, required: field.required || field.kind === "text" }))
        : others.filter((field) => field.required),
    })),
  };
}

const only = (fields: readonly Field[]): Field | undefined =>
  fields.length === 1 && fields[0]?.kind === "choice" ? fields[0] : undefined;

export function fieldOf(name: string, of: JsonObject, required: boolean, draft: string): Field {
  const options = Array.isArray(of.enum) ? wordsIn(of.enum) : [];
  const kind = options.length > 0 ? "choice" : kindOf(of.type);
  const given = typeof of.default === "string" || typeof of.default === "number" ? String(of.default) : "";
  return {
    name,
    kind,
    label: typeof of.title === "string" ? of.title : capitalised(name.replaceAll("_", " ")),
    description: typeof of.description === "string" ? of.description : undefined,
    required,
    options,
    start: given || (kind === "text" ? draft : ""),
  };
}

function kindOf(type: unknown): Field["kind"] {
  if (type === "boolean") return "boolean";
  return type === "number" || type === "integer" ? "number" : "text";
}

/** Whether a choice is to write something. */
export const isToWrite = (choice: string): boolean =>
  /^(?:edit|change|revise|correct|respond|reply|other)/i.test(choice);

/** Whether a choice says no: it is shown as what cannot be taken back. */
export const isRefusal = (choice: string): boolean => /^(?:reject|no|deny|cancel|discard|refuse)\b/i.test(choice);

export const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** The properties of an answer from what was typed, by name. Empty words of what is optional are left out. */
export function answerOf(fields: readonly Field[], typed: Readonly<Record<string, string>>): JsonObject {
  const entries = fields.flatMap((field): [string, unknown][] => {
    const text = typed[field.name] ?? field.start;
    if (field.kind === "boolean") return [[field.name, text === "true"]];
    if (text.trim() === "") return [];
    return [[field.name, field.kind === "number" ? Number(text) : field.kind === "json" ? JSON.parse(text) : text]];
  });
  return Object.fromEntries(entries);
}

/** Whether everything that is needed is there. */
export function isComplete(fields: readonly Field[], typed: Readonly<Record<string, string>>): boolean {
  return fields.every((field) => {
    const text = (typed[field.name] ?? field.start).trim();
    if (field.kind === "number" && text !== "" && !Number.isFinite(Number(text))) return false;
    if (field.kind === "json" && text !== "" && parseJson(text) === undefined) return false;
    return !field.required || field.kind === "boolean" || text !== "";
  });
}

const wordsIn = (list: readonly unknown[]): string[] => list.filter((one) => typeof one === "string");
const json = (value: unknown): string => JSON.stringify(value, null, 2);
