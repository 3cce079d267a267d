/** Errors of the application's code: without paths for callers, with every detail for the server log. */
import { existsSync } from "node:fs";
import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import { inspect } from "node:util";
import type { SourcePlace } from "../protocol/node-info.ts";
import type { RunError } from "../protocol/stream.ts";
import { jsonOf } from "./plain.ts";

/** A problem with the application itself, described for the person who wrote it. */
export class GraphLoadError extends Error {
  override readonly name = "GraphLoadError";
}

const LONGEST_MESSAGE = 10_000;
const LONGEST_STACK = 20_000;

/** Returns class name and message. The constructor's name replaces a `name` that the class does not set. */
export function toRunError(thrown: unknown): RunError {
  try {
    if (!(thrown instanceof Error)) return { error: "Error", message: truncated(textOf(thrown)) };
    // The application's code may have put a value of any type there.
    const { name, message }: { name: unknown; message: unknown } = thrown;
    const className = typeof name !== "string" || name === "Error" ? thrown.constructor.name : name;
    return { error: className || "Error", message: truncated(textOf(message) + settingHint(thrown)) };
  } catch {
    return { error: "Error", message: "The thrown value cannot be read" };
  }
}

/** Returns which setting lifts a refusal by Node's permission model, because Node's message does not name it. */
function settingHint(error: Error): string {
  const code = "code" in error ? error.code : undefined;
  const what = "permission" in error ? error.permission : undefined;
  if (code === "ERR_DLOPEN_DISABLED") return ". Allow addons in the deployment's settings (addons).";
  if (code !== "ERR_ACCESS_DENIED" || (what !== "ChildProcess" && what !== "WorkerThreads")) return "";
  return ". Allow processes and threads in the deployment's settings (child_processes).";
}

function textOf(thrown: unknown): string {
  return typeof thrown === "string" ? thrown : jsonOf(thrown);
}

function truncated(message: string): string {
  return message.length > LONGEST_MESSAGE ? `${message.slice(0, LONGEST_MESSAGE)}…` : message;
}

/** An absolute path at the beginning of a word, a quotation or a file URL. */
const PATH = /(?<=^|[\s"'`(=])(?:file:\/\/)?(\/[^\s"'`():?*<>|]+)/g;

/** Makes paths into the application relative to its folder. Other paths stay: they may be part of the author's text. */
export function withoutFolder({ error, message }: RunError, folder: string): RunError {
  return { error, message: message.replaceAll(`${pathToFileURL(folder).href}/`, "").replaceAll(`${folder}/`, "") };
}

/** Removes every absolute path, for messages that Node and compilers write. */
export function withoutPaths(problem: RunError, folder: string): RunError {
  const { error, message } = withoutFolder(problem, folder);
  return { error, message: message.replace(PATH, (text, path: string) => shortPath(path, folder) ?? text) };
}

function shortPath(path: string, folder: string): string | undefined {
  const second = path.indexOf("/", 1);
  if (!existsSync(second < 0 ? path : path.slice(0, second))) return undefined;
  if (path === folder) return ".";
  const installed = path.lastIndexOf("/node_modules/");
  return installed >= 0 ? path.slice(installed + 1) : basename(path);
}

/** Returns the first location in the application's own files that a stack names. Total. */
export function locationIn(folder: string, thrown: unknown): SourcePlace | undefined {
  const stack = thrown instanceof Error && !(thrown instanceof GraphLoadError) ? stackOf(thrown) : "";
  for (const [, path = "", line] of stack.matchAll(/(?:file:\/\/|\(|^|\s)(\/[^\s():]+):(\d+)/gm)) {
    const file = path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : "node_modules/";
    if (!/(?:^|\/)(?:node_modules|\.graphlib)\//.test(file)) return { file, line: Number(line) };
  }
  return undefined;
}

function stackOf(error: Error): string {
  try {
    return textOf(error.stack).slice(0, LONGEST_STACK);
  } catch {
    return "";
  }
}

/** Logs a message and, if something was thrown, its whole stack. */
export function logFailure(message: string, thrown?: unknown): void {
  const details = thrown === undefined ? "" : ` ${describeThrown(thrown)}`;
  process.stderr.write(`${message}${details}\n`);
}

export function describeThrown(thrown: unknown): string {
  try {
    if (thrown instanceof GraphLoadError) return thrown.message;
    return inspect(thrown, { depth: 4, maxStringLength: LONGEST_MESSAGE });
  } catch {
    return "(cannot be shown)";
  }
}
