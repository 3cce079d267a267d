import type { Part } from "../../protocol/a2a.ts";
import { isObject, type JsonObject } from "../../protocol/json.ts";
import type { StreamMode } from "../../protocol/stream.ts";
import type { TaskInterrupt } from "./task-fold.ts";
import { contentOf, isFile } from "./parts.ts";

/** The form of a graph's input and output, as far as its schemas define it. */
export type GraphInterface = Takes & {
  /** Set when the state has a key `artifacts`, whose items become artifacts of the task. */
  readonly artifacts?: true;
};

type Takes =
  | { readonly takes: "messages" }
  /** The input is one string property with this name. */
  | { readonly takes: "text"; readonly property: string }
  | { readonly takes: "data" }
  /** No schema could be read. */
  | { readonly takes: "unknown" };

export function graphInterfaceOf(inputSchema: unknown, outputSchema?: unknown): GraphInterface {
  const takes = takesOf(inputSchema);
  return hasProperty(outputSchema, "artifacts") ? { ...takes, artifacts: true } : takes;
}

function hasProperty(schema: unknown, name: string): boolean {
  return isObject(schema) && isObject(schema.properties) && Object.hasOwn(schema.properties, name);
}

function takesOf(inputSchema: unknown): Takes {
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

/** Returns the media types that a card offers for a graph. */
export function modesOf(graphInterface: GraphInterface): { input: string[]; output: string[] } {
  const both = ["text/plain", "application/json"];
  switch (graphInterface.takes) {
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
 * Returns the cheapest stream modes that carry the reply. `updates` holds exactly what this run added, once. Without a
 * `messages` key the reply is the state itself. Tokens are requested only for a streaming client.
 */
export function streamModesOf(graphInterface: GraphInterface, streamed: boolean): StreamMode[] {
  const reply: StreamMode = graphInterface.takes === "messages" && !graphInterface.artifacts ? "updates" : "values";
  const speaks = graphInterface.takes === "messages" || graphInterface.takes === "unknown";
  return streamed && speaks ? ["messages-tuple", reply] : [reply];
}

export type RunInput =
  | { readonly ok: true; readonly input: JsonObject }
  /** `content_type`: a part has an unsupported type; `invalid`: the parts do not form an input for this graph. */
  | { readonly ok: false; readonly because: "content_type" | "invalid"; readonly message: string };

/** Returns whether the assistant accepts files of this media type. */
export type TakesFile = (mediaType: string) => boolean;

/** Converts a person's message to the input of a run. */
export function toRun(
  message: { readonly messageId: string; readonly parts: readonly Part[] },
  graphInterface: GraphInterface,
  takesFile: TakesFile = () => false,
): RunInput {
  const reads = graphInterface.takes === "messages" || graphInterface.takes === "unknown";
  const unsupported = unsupportedPart(message.parts, (type) => reads && takesFile(type));
  if (unsupported) return unsupported;
  const messageInput = { messages: [{ role: "user", content: contentOf(message.parts), id: message.messageId }] };
  const [data, ...more] = message.parts.flatMap((part) => (part.kind === "data" ? [part.data] : []));
  const onlyData = more.length === 0 && message.parts.length === 1 && isObject(data) ? data : undefined;
  switch (graphInterface.takes) {
    case "messages":
      return { ok: true, input: messageInput };
    case "unknown":
      // A graph reads the keys that it has and ignores the others, so the input has the data in both forms.
      return { ok: true, input: { ...onlyData, ...messageInput } };
    case "text":
      if (onlyData) return { ok: true, input: onlyData };
      return data === undefined
        ? { ok: true, input: { [graphInterface.property]: textual(message.parts) } }
        : needsData(graphInterface);
    case "data":
      return onlyData ? { ok: true, input: onlyData } : needsData(graphInterface);
  }
}

function needsData(graphInterface: GraphInterface): RunInput {
  const text = graphInterface.takes === "text" ? "text alone, or " : "";
  const message = `This assistant's state has no "messages" key: send ${text}exactly one data part, an object that is its input`;
  return { ok: false, because: "invalid", message };
}

function unsupportedPart(parts: readonly Part[], takesFile: TakesFile): Extract<RunInput, { ok: false }> | undefined {
  const unsupported = parts.find((part) => (isFile(part) ? !takesFile(typeOf(part) || UNKNOWN) : !isTaken(part)));
  if (!unsupported) return undefined;
  const what = `${isFile(unsupported) ? "files" : "parts"} of type ${unsupported.mediaType ?? UNKNOWN}`;
  return { ok: false, because: "content_type", message: `This assistant does not take ${what}` };
}

const UNKNOWN = "application/octet-stream";

function typeOf({ mediaType = "" }: Part): string {
  return mediaType.split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

function isTaken(part: Part): boolean {
  const type = typeOf(part);
  if (part.kind === "text") return type === "" || type.startsWith("text/") || isJson(type);
  return part.kind === "data" && (type === "" || isJson(type));
}

function isJson(type: string): boolean {
  return type === "application/json" || (type.startsWith("application/") && type.endsWith("+json"));
}

function textual(parts: readonly Part[]): string {
  const content = contentOf(parts);
  return typeof content === "string" ? content : "";
}

export type ResumeInput =
  | { readonly ok: true; readonly resume: unknown }
  /** The run has stopped at a breakpoint, so it goes on without an answer. */
  | { readonly ok: true; readonly goOn: true }
  | { readonly ok: false; readonly message: string };

/**
 * Converts a person's message to the resume value of an interrupted run: the `resume` member of the only data part that
 * has one, else the data of a message's only part, else the text.
 */
export function toAnswer(parts: readonly Part[], interrupts: readonly TaskInterrupt[]): ResumeInput {
  const resumes = parts.flatMap((part) =>
    part.kind === "data" && isObject(part.data) && Object.hasOwn(part.data, "resume") ? [part.data.resume] : [],
  );
  if (resumes.length > 1) return { ok: false, message: 'expected at most one data part with "resume"' };
  if (interrupts.length === 0) return { ok: true, goOn: true };
  const [part] = parts;
  const lone = parts.length === 1 && part?.kind === "data" ? part.data : undefined;
  const unsupported = unsupportedPart(parts, () => false);
  if (unsupported) return { ok: false, message: "an answer is text or data" };
  const resume = resumes.length === 1 ? resumes[0] : (lone ?? textual(parts));
  if (interrupts.length > 1 && !isByInterrupt(resume, interrupts)) {
    const ids = interrupts.map(({ id }) => `"${id}"`).join(", ");
    return {
      ok: false,
      message: `this task asks ${interrupts.length} questions: send a data part {"resume": {...}} with an answer for each of ${ids}`,
    };
  }
  return { ok: true, resume };
}

/** LangGraph expects the answers to several questions keyed by the ids of their interrupts. */
function isByInterrupt(resume: unknown, interrupts: readonly TaskInterrupt[]): boolean {
  if (!isObject(resume)) return false;
  const ids = Object.keys(resume);
  return ids.length > 0 && ids.every((id) => interrupts.some((one) => one.id === id));
}
