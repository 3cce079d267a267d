/** Reads errors in the forms in which events and states tell them. */
import { isObject } from "../../protocol/json.ts";
import type { StudioError } from "./run.ts";

/** Returns the error of a task or a run. A text may hold a stack below its message. */
export function readProblem(error: unknown): StudioError {
  if (typeof error === "string") return fromText(error);
  if (!isObject(error)) return { message: "It failed without a message." };
  const { name, message, source, stack } = error;
  const text = typeof message === "string" ? message : "";
  const told = fromText(text === "" && typeof error.error === "string" ? error.error : text);
  const kind = typeof name === "string" ? name : text === "" ? undefined : error.error;
  const place = placeOf(source) ?? told.place ?? (typeof stack === "string" ? ownPlace(stack) : undefined);
  return {
    ...(typeof kind === "string" && kind !== "" ? { name: kind } : {}),
    message: told.message,
    ...(place === undefined ? {} : { place }),
  };
}

function placeOf(source: unknown): string | undefined {
  return isObject(source) && typeof source.file === "string" && typeof source.line === "number"
    ? `${source.file}:${source.line}`
    : undefined;
}

/** The start of the stack in a text. */
const STACK = /\n\s+at \S/;

function fromText(text: string): StudioError {
  const stack = STACK.exec(text);
  if (!stack) return { message: text };
  const place = ownPlace(text.slice(stack.index));
  return { message: text.slice(0, stack.index), ...(place === undefined ? {} : { place }) };
}

/** Returns the first line of a stack that lies neither in a package nor in Node itself. */
function ownPlace(stack: string): string | undefined {
  const lines = stack.slice(0, 20_000).split("\n");
  const own = lines.find((line) => /^\s*at /.test(line) && !/node_modules|\(?node:|<anonymous>|native code/.test(line));
  return own?.trim().replace(/^at /, "").slice(0, 500);
}

/** The message with which the platform's `AbortError` ends what was under way when a run stops. */
const ABORTED = "This operation was aborted";

/** Returns whether a task did not fail by itself, but was stopped. */
export function isAborted({ name, message }: StudioError): boolean {
  return name === "AbortError" || message === ABORTED;
}
