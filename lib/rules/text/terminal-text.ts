/**
 * What strangers have written, for a terminal or a log: colours stay, everything else that a terminal acts on goes.
 * Sequences can set the clipboard (OSC 52), make links (OSC 8), change titles, move the cursor and make a terminal type an
 * answer by itself (https://invisible-island.net/xterm/ctlseqs/ctlseqs.html).
 */

/** A colour or another way to show letters (SGR): nothing private, and no longer than anybody needs. */
const COLOUR = "\\u001B\\[[0-9;:]{0,40}m";
/**
 * What goes, each as ESC and a letter or as one C1 control: strings (OSC, DCS, SOS, PM, APC) up to their end, control
 * sequences (CSI), and the two-letter ones. A string whose end is missing loses its beginning and is shown. No string has
 * another's beginning in it: each letter is looked at once.
 */
const SEQUENCES = [
  "(?:\\u001B[\\]PX^_]|[\\u0090\\u0098\\u009D-\\u009F])[^\\u0007\\u0018\\u001A\\u001B\\u0080-\\u009F]*(?:\\u0007|\\u001B\\\\|\\u009C)",
  "(?:\\u001B\\[|\\u009B)[0-?]*[ -/]*[@-~]",
  "\\u001B[ -/]*[0-~]",
].join("|");
/** Controls but for the tabulator, and letters that turn the direction in which others are shown. */
const UNSEEN = "[\\u0000-\\u0008\\u000A-\\u001F\\u007F-\\u009F\\u061C\\u200E\\u200F\\u2028-\\u202E\\u2066-\\u2069]";
/** They divide words: what they leave is a blank. */
const BREAKS = /[\n\v\f\r\u0085\u2028\u2029]/;

const WITH_COLOURS = new RegExp(`(${COLOUR})|${SEQUENCES}|${UNSEEN}`, "g");
const ANY = new RegExp(UNSEEN);
const EVERY = new RegExp(UNSEEN, "g");
const COLOURS = new RegExp(COLOUR, "g");
const RESET = "\u001B[0m";

/** One line without anything but letters, tabulators and colours. Takes time in proportion to its length. */
export function withColours(text: string): string {
  if (!ANY.test(text)) return text.toWellFormed();
  return text
    .replace(WITH_COLOURS, (found, colour: string | undefined) => colour ?? (BREAKS.test(found) ? " " : ""))
    .toWellFormed();
}

/** As `withColours`, and what comes after it on a terminal has the terminal's own colours. */
export function forTerminal(text: string): string {
  const shown = withColours(text);
  return shown.includes("\u001B") && !shown.endsWith(RESET) ? shown + RESET : shown;
}

/** Without colours as well. */
export function plain(text: string): string {
  return withColours(text).replace(COLOURS, "");
}

/** Several lines, of which only the first can be taken for one that its writer has begun. */
export function plainLines(text: string): string {
  return text.split("\n").map(plain).join("\n    ");
}

/** JSON on one line in which whatever a terminal would act on is spelt out. */
export function jsonLine(value: unknown): string {
  return JSON.stringify(value).replace(EVERY, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
