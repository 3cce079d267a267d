import { styleText } from "node:util";
import { forTerminal, jsonLine, plain } from "../rules/text/terminal-text.ts";

/** Where a command says things. */
export interface Screen {
  /** Only the JSON of the result is wanted. */
  readonly json: boolean;
  /** A line for people. */
  say(text: string): void;
  /** A line that another program wrote: its colours are kept where there are any, nothing else that moves a terminal. */
  pass(text: string, prefix?: string): void;
  /** What goes on, until the next line; only a terminal shows it. */
  status(text: string): void;
  /** The result, as a line of JSON. */
  result(value: unknown): void;
}

type Style = "green" | "red" | "dim" | "bold";

/** Colours only where they are wanted: a terminal, and no `NO_COLOR`. */
export function styled(style: Style, text: string): string {
  return styleText(style, text, { stream: process.stdout });
}

const CLEAR = "\r\u001B[2K";

export function createScreen(json: boolean): Screen {
  const tty = process.stdout.isTTY && !json;
  let shown = "";
  const write = (text: string): void => {
    process.stdout.write(`${shown === "" ? "" : CLEAR}${text}\n${shown}`);
  };
  const say = (text: string): void => {
    if (!json) write(text);
  };
  return {
    json,
    say,
    pass(text, prefix = "") {
      say(prefix + (tty ? forTerminal(text) : plain(text)));
    },
    status(text) {
      if (!tty) return;
      process.stdout.write(shown === "" && text === "" ? "" : CLEAR + text);
      shown = text;
    },
    result(value) {
      if (json) process.stdout.write(`${jsonLine(value)}\n`);
    },
  };
}

/** Columns as wide as their widest cell, the last one as it is. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const cells = rows.map((row) => row.map(plain));
  const widths = (cells[0] ?? []).map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  return cells.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}
