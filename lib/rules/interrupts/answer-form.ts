import { isObject, type JsonObject, parseJson } from "../../protocol/json.ts";

/** The form field for one property of an answer. */
export interface Field {
  readonly name: string;
  readonly kind: "text" | "number" | "boolean" | "choice" | "json";
  readonly label: string;
  readonly description?: string;
  readonly required: boolean;
  readonly options: readonly string[];
  readonly start: string;
}

/** A button with which a person may answer. */
export interface Choice {
  readonly value: string;
  /** The fields to fill in after the button was pressed. */
  readonly fields: readonly Field[];
}

/** The form for the answer to an interrupt. */
export type AnswerForm =
  /** The answer is the text as it was typed. */
  | { readonly kind: "words" }
  /** The form has buttons. `name` is the property for the pressed one; when absent, its value is the whole answer. */
  | { readonly kind: "choices"; readonly name?: string; readonly choices: readonly Choice[] }
  /** The answer is an object with these properties. */
  | { readonly kind: "fields"; readonly fields: readonly Field[] };

export interface InterruptPrompt {
  readonly question: string;
  readonly draft?: string;
  /** The members without a known name, as JSON. */
  readonly rest?: string;
  readonly form: AnswerForm;
}

const QUESTION = "The run waits for an answer";

/**
 * Reads any value. The members `question`, `draft`, `schema` (of the answer) and `options` (its possible texts, if there is no
 * schema) have a meaning, others are shown.
 */
export function readInterrupt(value: unknown): InterruptPrompt {
  if (typeof value === "string") return { question: value, form: { kind: "words" } };
  if (!isObject(value)) return { question: QUESTION, rest: json(value), form: { kind: "words" } };
  const { question, draft, schema, ...others } = value;
  const options = isObject(schema) ? undefined : optionsIn(others.options);
  if (options) delete others.options;
  return {
    question: typeof question === "string" ? question : QUESTION,
    draft: typeof draft === "string" ? draft : undefined,
    rest: Object.keys(others).length > 0 ? json(others) : undefined,
    form: options ? choicesOf(options) : formOf(schema, typeof draft === "string" ? draft : ""),
  };
}

/** A longer list is no question with a button for each answer. */
const MOST_OPTIONS = 20;

/** Returns the texts to choose from; undefined if it is not a list of different texts. */
function optionsIn(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value) || value.length === 0 || value.length > MOST_OPTIONS) return undefined;
  const texts = new Set(wordsIn(value).filter((one) => one.trim() !== ""));
  return texts.size === value.length ? [...texts] : undefined;
}

const choicesOf = (texts: readonly string[]): AnswerForm => ({
  kind: "choices",
  choices: texts.map((value) => ({ value, fields: [] })),
});

function formOf(schema: unknown, draft: string): AnswerForm {
  if (!isObject(schema)) return { kind: "words" };
  if (Array.isArray(schema.enum)) return choicesOf(wordsIn(schema.enum));
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
      // Optional fields are shown only when the choice is to write something.
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

/** Returns whether a choice is to write something. */
export const isToWrite = (choice: string): boolean =>
  /^(?:edit|change|revise|correct|respond|reply|other)/i.test(choice);

/** Returns whether a choice is a refusal. Such a button is shown as one that cannot be undone. */
export const isRefusal = (choice: string): boolean => /^(?:reject|no|deny|cancel|discard|refuse)\b/i.test(choice);

export const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** Builds an answer from the typed texts, which are keyed by field name. Empty texts are left out. */
export function answerOf(fields: readonly Field[], typed: Readonly<Record<string, string>>): JsonObject {
  const entries = fields.flatMap((field): [string, unknown][] => {
    const text = typed[field.name] ?? field.start;
    if (field.kind === "boolean") return [[field.name, text === "true"]];
    if (text.trim() === "") return [];
    return [[field.name, field.kind === "number" ? Number(text) : field.kind === "json" ? JSON.parse(text) : text]];
  });
  return Object.fromEntries(entries);
}

/** Returns whether all required fields are filled in and all texts are valid. */
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
