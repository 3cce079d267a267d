import { styleText } from "node:util";
import { forTerminal, jsonLine, plain } from "../rules/text/terminal-text.ts";

/** The output of a command. */
export interface Screen {
  /** Set if only the JSON of the result is printed. */
  readonly json: boolean;
  /** Prints a line for people. */
  print(text: string): void;
  /** Prints a line of another program. It keeps colours if the terminal has them, and no other control sequences. */
  printForeign(text: string, prefix?: string): void;
  /** Shows a status below the last line, on a terminal only. */
  status(text: string): void;
  /** Prints the result as a line of JSON. */
  result(value: unknown): void;
}

type Style = "green" | "red" | "dim" | "bold";

/** Adds a style where it is wanted: on a terminal, without `NO_COLOR`. */
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
  const print = (text: string): void => {
    if (!json) write(text);
  };
  return {
    json,
    print,
    printForeign(text, prefix = "") {
      print(prefix + (tty ? forTerminal(text) : plain(text)));
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

/** Pads columns to their widest cell. The last one stays as it is. */
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
