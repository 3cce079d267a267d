import type { Part } from "../protocol/a2a.ts";
import { isObject, type JsonObject } from "../protocol/json.ts";
import type { StreamMode } from "../protocol/stream.ts";

/** What a graph's input takes, as far as its schema tells. */
export type Intake =
  | { readonly takes: "messages" }
  /** One string, of this name. */
  | { readonly takes: "text"; readonly property: string }
  | { readonly takes: "data" }
  /** No schema could be read. */
  | { readonly takes: "unknown" };

export function intakeOf(inputSchema: unknown): Intake {
  if (!isObject(inputSchema) || !isObject(inputSchema.properties)) return { takes: "unknown" };
  const { properties } = inputSchema;
  if (Object.hasOwn(properties, "messages")) return { takes: "messages" };
  const required = Array.isArray(inputSchema.required) ? inputSchema.required.map(String) : [];
  // LangGraph itself requires nothing of an input: where no name is required, any of them may be meant.
  const names = required.length > 0 ? required : Object.keys(properties);
  const [property, ...others] = names.filter((name) => isString(properties[name]));
  return property !== undefined && others.length === 0 ? { takes: "text", property } : { takes: "data" };
}

function isString(schema: unknown): boolean {
  return isObject(schema) && schema.type === "string";
}

/** Media types that a card offers for a graph. */
export function modesOf(intake: Intake): { input: string[]; output: string[] } {
  const both = ["text/plain", "application/json"];
  switch (intake.takes) {
    case "messages":
    case "unknown":
      return { input: both, output: both };
    case "text":
      return { input: both, output: ["application/json"] };
    case "data":
      return { input: ["application/json"], output: ["application/json"] };
  }
}

/**
 * The cheapest stream modes that carry the reply. `updates` holds exactly what this run added, once; without a
 * `messages` key the reply is the state itself. Tokens are asked for only when somebody listens to them.
 */
export function streamModesOf(intake: Intake, streamed: boolean): StreamMode[] {
  const reply: StreamMode = intake.takes === "messages" ? "updates" : "values";
  const speaks = intake.takes === "messages" || intake.takes === "unknown";
  return streamed && speaks ? ["messages-tuple", reply] : [reply];
}

export type RunInput =
  | { readonly ok: true; readonly input: JsonObject }
  /** `content_type`: a part that cannot be taken; `invalid`: parts that make no input for this graph. */
  | { readonly ok: false; readonly because: "content_type" | "invalid"; readonly message: string };

/** A person's message as the input of a run. */
export function toRun(
  message: { readonly messageId: string; readonly parts: readonly Part[] },
  intake: Intake,
): RunInput {
  const foreign = message.parts.find((part) => !isTaken(part));
  if (foreign) {
    const what =
      foreign.kind === "bytes" || foreign.kind === "url" ? "file parts" : `parts of type ${foreign.mediaType}`;
    return { ok: false, because: "content_type", message: `This assistant does not take ${what}` };
  }
  const said = { messages: [{ role: "user", content: textOf(message.parts), id: message.messageId }] };
  const [data, ...more] = message.parts.flatMap((part) => (part.kind === "data" ? [part.data] : []));
  const alone = more.length === 0 && message.parts.length === 1 && isObject(data) ? data : undefined;
  switch (intake.takes) {
    case "messages":
      return { ok: true, input: said };
    case "unknown":
      // A graph takes the keys it has and ignores the others, so data is given in both readings.
      return { ok: true, input: { ...alone, ...said } };
    case "text":
      if (alone) return { ok: true, input: alone };
      return data === undefined ? { ok: true, input: { [intake.property]: textOf(message.parts) } } : needsData(intake);
    case "data":
      return alone ? { ok: true, input: alone } : needsData(intake);
  }
}

function needsData(intake: Intake): RunInput {
  const text = intake.takes === "text" ? "text alone, or " : "";
  const message = `This assistant's state has no "messages" key: send ${text}exactly one data part, an object that is its input`;
  return { ok: false, because: "invalid", message };
}

function isTaken({ kind, mediaType = "" }: Part): boolean {
  const type = mediaType.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (kind === "text") return type === "" || type.startsWith("text/") || isJson(type);
  return kind === "data" && (type === "" || isJson(type));
}

function isJson(type: string): boolean {
  return type === "application/json" || (type.startsWith("application/") && type.endsWith("+json"));
}

/** All parts as one text: graphs read the last message's content as a string. */
function textOf(parts: readonly Part[]): string {
  return parts
    .flatMap((part) => {
      if (part.kind === "text") return [part.text];
      return part.kind === "data" ? [JSON.stringify(part.data)] : [];
    })
    .join("\n");
}
