/** The logger that code of the application gets from `getLogger()` of `@langchain/langgraph-sdk/logging`. */
import { AsyncLocalStorage } from "node:async_hooks";
import { format } from "node:util";
import { isObject, type JsonObject } from "../protocol/json.ts";
import { describeThrown } from "./failure.ts";
import { jsonOf } from "./plain.ts";

/** The key of `globalThis` under which the SDK looks for the logger. */
const LOGGER = Symbol.for("langgraph.api.sdk-logger");

/** The levels of the SDK's interface. */
const LEVELS = ["error", "warn", "help", "data", "info", "debug", "prompt", "http", "verbose", "input", "silly"];

/** Every method returns the logger, so that calls can be chained. */
type SdkLogger = Record<string, (...values: unknown[]) => SdkLogger>;

const runs = new AsyncLocalStorage<string>();

/** Runs `work`. Every line that it logs, at once or later, names the run. */
export function logAsRun<T>(run: string, work: () => T): T {
  return runs.run(run, work);
}

/** Installs the logger. The application's modules may ask for it while they load, so this must come first. */
export function installLogger(): void {
  const logger: SdkLogger = {};
  for (const level of LEVELS) {
    const stream = level === "error" || level === "warn" ? process.stderr : process.stdout;
    logger[level] = (...values) => {
      stream.write(`${logLine(level, values, runs.getStore())}\n`);
      return logger;
    };
  }
  Object.defineProperty(globalThis, LOGGER, { value: logger, configurable: true, writable: true });
}

/**
 * Returns `[level] message {"more":"members"} run_id=…`, followed by the stacks of errors on lines of their own. An
 * object alone is the whole record, with its message as a member.
 */
export function logLine(level: string, values: readonly unknown[], run?: string): string {
  const errors = values.filter((one) => one instanceof Error);
  const records = values.filter((one): one is JsonObject => isObject(one) && !(one instanceof Error));
  const words = values.filter((one) => one !== undefined && !isObject(one));
  const { message, ...members } = Object.fromEntries(records.flatMap((one) => Object.entries(one)));
  const text = words.length > 0 ? format(...words) : format(message ?? errors[0]?.message ?? "");
  const more = words.length > 0 && message !== undefined ? { message, ...members } : members;
  return [
    `[${level}]`,
    ...(text === "" ? [] : [text]),
    ...(Object.keys(more).length > 0 ? [jsonOf(more)] : []),
    ...(run === undefined ? [] : [`run_id=${run}`]),
  ]
    .join(" ")
    .concat(...errors.map((error) => `\n${describeThrown(error)}`));
}
