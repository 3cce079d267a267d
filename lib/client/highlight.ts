/** A piece of code, and the kind that decides its colour. */
export interface Token {
  readonly at: number;
  readonly kind: "plain" | "string" | "comment" | "word";
  readonly text: string;
}

/**
 * Matches strings, comments, and keywords of curl, JavaScript, TypeScript, Python and JSON. A grammar for each language
 * would be larger than the page.
 */
const PIECE =
  /(?<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`)|(?<comment>(?:^|(?<=\s))(?:\/\/|#)[^\n]*)|(?<word>\b(?:async|await|break|class|const|continue|curl|def|do|elif|else|export|False|false|for|from|function|if|import|in|let|new|None|null|of|return|True|true|try|while|with|yield)\b)/gm;

/** Splits code into tokens. Their texts joined are the code again. */
export function highlight(code: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  for (const match of code.matchAll(PIECE)) {
    if (match.index > at) tokens.push({ at, kind: "plain", text: code.slice(at, match.index) });
    const { string, comment } = match.groups ?? {};
    tokens.push({ at: match.index, kind: string ? "string" : comment ? "comment" : "word", text: match[0] });
    at = match.index + match[0].length;
  }
  if (at < code.length) tokens.push({ at, kind: "plain", text: code.slice(at) });
  return tokens;
}
