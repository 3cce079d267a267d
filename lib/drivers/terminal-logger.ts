import { inspect } from "node:util";
import type { Logger } from "../engine/ports/ports.ts";
import { plainLines } from "../rules/text/terminal-text.ts";

/** Logs to the terminal of the operator. */
export const terminalLogger: Logger = {
  warn: (message, cause) => console.warn(format(message, cause)),
  error: (message, cause) => console.error(format(message, cause)),
};

/** Makes the text safe to print: names, messages and causes may come from untrusted code. */
function format(message: string, cause: unknown): string {
  const why = cause === undefined ? "" : ` ${typeof cause === "string" ? cause : inspect(cause)}`;
  return plainLines(`[graphlib] ${message.replaceAll("\n", " ")}${why}`);
}

const warnings = new Set<string>();

/** Logs a warning once, however many deployments cause it. */
export function warnOnce(message: string): void {
  if (warnings.has(message)) return;
  warnings.add(message);
  terminalLogger.warn(message);
}
