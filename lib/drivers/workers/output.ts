/** Writes the lines that the code of a deployment prints to the deployment's log and to the terminal. */
import type { LineLog } from "../../engine/ports/line-log.ts";
import { redactor } from "../../rules/text/redact.ts";
import { forTerminal } from "../../rules/text/terminal-text.ts";
import type { PrintedLine } from "./server-log.ts";

const MB = 1024 * 1024;

export interface OutputOptions {
  lines: LineLog;
  /** Name of the deployment's log, and the size above which its oldest lines are deleted. */
  log: string;
  logMb: number;
  /** The name of the code on the terminal. */
  label: string;
  /** Values that are redacted. */
  secrets: Readonly<Record<string, string>>;
}

/** Returns a function that writes a line without secrets to the log and the terminal, and returns what it wrote. */
export function createOutput(options: OutputOptions): (line: Pick<PrintedLine, "from" | "text">) => string {
  const { lines, log, logMb, label } = options;
  const redact = redactor(options.secrets);
  return ({ from, text }) => {
    const shown = redact(text);
    lines.append(log, [{ stream: from === "host" ? "us" : from, text: shown }], logMb * MB);
    const terminal = from === "err" ? process.stderr : process.stdout;
    terminal.write(`[${from === "host" ? "graphlib" : label}] ${forTerminal(shown)}\n`);
    return shown;
  };
}
