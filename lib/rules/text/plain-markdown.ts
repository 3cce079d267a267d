/** The marks of inline Markdown around a text. A text with spaces at its ends is not marked, as in `2 * 3 * 4`. */
const MARKED = /(\*\*|~~|`)(?=\S)(.{1,1000}?\S|\S)\1/g;
const EMPHASIS = /(?<![\p{L}\p{N}*_])([*_])(?=[^\s*_])([^*_\n]{0,1000}[^\s*_])\1(?![\p{L}\p{N}*_])/gu;
const LINK = /!?\[([^\]\n]{0,1000})\]\([^()\s]{0,2000}\)/g;
const LINE_START = /^[ \t]*(?:#{1,6}|>)[ \t]+/gm;

/** Returns Markdown without its marks, for places that show a line of text. It adds nothing to the text. Total. */
export function plainMarkdown(text: string): string {
  return text.replace(LINE_START, "").replace(LINK, "$1").replace(MARKED, "$2").replace(EMPHASIS, "$2");
}
