import { inspect } from "node:util";
import type { Logger } from "../engine/ports/ports.ts";
import { plainLines } from "../rules/text/terminal-text.ts";

/** Tells whoever runs the server. */
export const terminalLogger: Logger = {
  warn: (message, cause) => console.warn(format(message, cause)),
  error: (message, cause) => console.error(format(message, cause)),
};

/** Names, messages and causes are often a stranger's words. */
function format(message: string, cause: unknown): string {
  const why = cause === undefined ? "" : ` ${typeof cause === "string" ? cause : inspect(cause)}`;
  return plainLines(`[graphlib] ${message.replaceAll("\n", " ")}${why}`);
}

const warnings = new Set<string>();

/** Warns once of what is true of many deployments. */
export function warnOnce(message: string): void {
  if (warnings.has(message)) return;
  warnings.add(message);
  terminalLogger.warn(message);
}
