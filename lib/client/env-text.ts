/** One variable as it is being typed. */
export interface TypedVariable {
  name: string;
  value: string;
}

/** Reads the variables of a pasted `.env` for a form. The server reads the text again by the rules of Node.js. */
export function readEnvText(text: string): TypedVariable[] {
  const found = new Map<string, string>();
  const line =
    /^[ \t]*(?:export[ \t]+)?([A-Za-z_][A-Za-z0-9_]*)[ \t]*=[ \t]*("(?:\\.|[^"\\])*"|'[^']*'|`[^`]*`|[^\n]*)/gm;
  for (const [, name = "", given = ""] of text.matchAll(line)) found.set(name, unquoted(given.trim()));
  return [...found].map(([name, value]) => ({ name, value }));
}

/** Returns whether a pasted text is a `.env` and not just a value. A value, such as a key, may end in `=`. */
export function isEnvText(text: string): boolean {
  return /^\s*(?:export[ \t]+)?[A-Za-z_][A-Za-z0-9_]*[ \t]*=[ \t]*[^=\s]/.test(text);
}

function unquoted(value: string): string {
  const quote = value[0];
  if (quote === '"' && value.endsWith('"') && value.length > 1) return value.slice(1, -1).replaceAll("\\n", "\n");
  if ((quote === "'" || quote === "`") && value.endsWith(quote) && value.length > 1) return value.slice(1, -1);
  return value.replace(/\s*#.*$/, "");
}
