/**
 * Cleans untrusted text for a terminal or a log: colours stay, all other control sequences are removed. Sequences can
 * set the clipboard (OSC 52), make links (OSC 8), change titles, move the cursor and make a terminal send input by
 * itself (https://invisible-island.net/xterm/ctlseqs/ctlseqs.html).
 */

/** Matches colours and other text styles (SGR), but no private ones and none of unusual length. */
const COLOUR = "\\u001B\\[[0-9;:]{0,40}m";
/**
 * Matches removed sequences, which begin with ESC and a character or with one C1 control: strings (OSC, DCS, SOS, PM,
 * APC) up to their end, control sequences (CSI), and two-character ones. An unterminated string loses its beginning and
 * is shown. No string contains the beginning of another, so each character is examined once.
 */
const SEQUENCES = [
  "(?:\\u001B[\\]PX^_]|[\\u0090\\u0098\\u009D-\\u009F])[^\\u0007\\u0018\\u001A\\u001B\\u0080-\\u009F]*(?:\\u0007|\\u001B\\\\|\\u009C)",
  "(?:\\u001B\\[|\\u009B)[0-?]*[ -/]*[@-~]",
  "\\u001B[ -/]*[0-~]",
].join("|");
/** Matches control characters except tabs, and characters that change the direction of text. */
const UNSEEN = "[\\u0000-\\u0008\\u000A-\\u001F\\u007F-\\u009F\\u061C\\u200E\\u200F\\u2028-\\u202E\\u2066-\\u2069]";
/** These divide words, so a space replaces them. */
const BREAKS = /[\n\v\f\r\u0085\u2028\u2029]/;

const WITH_COLOURS = new RegExp(`(${COLOUR})|${SEQUENCES}|${UNSEEN}`, "g");
const ANY = new RegExp(UNSEEN);
const EVERY = new RegExp(UNSEEN, "g");
const COLOURS = new RegExp(COLOUR, "g");
const RESET = "\u001B[0m";

/** Returns one line with only text, tabs and colours. Takes time proportional to its length. */
export function withColours(text: string): string {
  if (!ANY.test(text)) return text.toWellFormed();
  return text
    .replace(WITH_COLOURS, (found, colour: string | undefined) => colour ?? (BREAKS.test(found) ? " " : ""))
    .toWellFormed();
}

/** Returns the same as `withColours`, with a reset at the end, so that later output has the terminal's own colours. */
export function forTerminal(text: string): string {
  const shown = withColours(text);
  return shown.includes("\u001B") && !shown.endsWith(RESET) ? shown + RESET : shown;
}

/** Returns one line without colours as well. */
export function plain(text: string): string {
  return withColours(text).replace(COLOURS, "");
}

/** Returns several lines. All but the first are indented, so that none can be taken for a line of another writer. */
export function plainLines(text: string): string {
  return text.split("\n").map(plain).join("\n    ");
}

/** Returns JSON on one line, with escapes for all characters that a terminal would act on. */
export function jsonLine(value: unknown): string {
  return JSON.stringify(value).replace(EVERY, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
