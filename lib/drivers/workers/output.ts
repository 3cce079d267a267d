/** Where the lines go that the code of a deployment prints. */
import type { LineLog } from "../../engine/ports/builds.ts";
import { redactor } from "../../rules/text/redact.ts";
import { forTerminal } from "../../rules/text/terminal-text.ts";
import type { LogLine } from "./server-log.ts";

const MB = 1024 * 1024;

export interface OutputOptions {
  lines: LineLog;
  /** Name of the deployment's log, and the size at which its oldest lines go. */
  log: string;
  logMb: number;
  /** Names the code on the terminal. */
  label: string;
  /** Values that are shown nowhere. */
  secrets: Readonly<Record<string, string>>;
}

/** Writes each line to the deployment's log and to the server's terminal, without secrets. Returns what it has written. */
export function createOutput(options: OutputOptions): (line: Pick<LogLine, "from" | "text">) => string {
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
