// Turns arithmetic in words into an expression for the calculator. Pure.
import { leadingQuestion, trailingFillers } from "./fillers.ts";
import { withDigits } from "./numbers.ts";

const NUMBER = String.raw`-?\d+(?:\.\d+)?`;
const OPERAND = String.raw`(?:${NUMBER}%?|\([^()]{1,80}\))`;
const LIST = String.raw`${NUMBER}(?:(?:\s*,\s*(?:and\s+)?|\s+and\s+)${NUMBER})+`;

function rule(pattern: string, replacement: string): [RegExp, string] {
  return [new RegExp(pattern.replaceAll("N", OPERAND), "giu"), replacement];
}

/** The rewrite rules in order: a rule for a longer phrase comes before the rules for phrases inside of it. */
const RULES: [RegExp, string][] = [
  rule(String.raw`[$€£](?=\s*\d)`, ""),
  rule(String.raw`^(?:what )?(?:percent(?:age)?|%) of (N) is (N)`, "$2 / $1 * 100"),
  rule(String.raw`(N) is what (?:percent(?:age)?|%) of (N)`, "$1 / $2 * 100"),
  rule(String.raw`(${NUMBER})\s*(?:%|percent|per cent)\s+(?:of|tip on|tip for|tax on)\s+(?:an?\s+)?`, "$1 / 100 * "),
  rule(String.raw`(${NUMBER})\s*(?:%|percent) (?:off|discount on) (?:of )?(N)`, "$2 * (1 - $1 / 100)"),
  rule(String.raw`\b(?:increase|raise) (N) by (${NUMBER})\s*(?:%|percent)`, "$1 * (1 + $2 / 100)"),
  rule(String.raw`\b(?:decrease|reduce|lower) (N) by (${NUMBER})\s*(?:%|percent)`, "$1 * (1 - $2 / 100)"),
  rule(String.raw`\badd (N) (?:and|to|with) (N)`, "$1 + $2"),
  rule(String.raw`\bsubtract (N) from (N)`, "$2 - $1"),
  rule(String.raw`\bmultiply (N) (?:by|and|with|times) (N)`, "$1 * $2"),
  rule(String.raw`\bdivide (N) by (N)`, "$1 / $2"),
  rule(String.raw`\b(?:difference between) (N) and (N)`, "$1 - $2"),
  rule(String.raw`\bproduct of (N) and (N)`, "$1 * $2"),
  rule(String.raw`\b(?:sum|total) of (${LIST})`, "sum($1)"),
  rule(String.raw`\b(?:average|mean) of (${LIST})`, "mean($1)"),
  rule(String.raw`\bmedian of (${LIST})`, "median($1)"),
  rule(String.raw`\b(?:max|maximum|largest|biggest|highest) of (${LIST})`, "max($1)"),
  rule(String.raw`\b(?:min|minimum|smallest|lowest) of (${LIST})`, "min($1)"),
  rule(String.raw`\bgreatest common divisor of (${LIST})`, "gcd($1)"),
  rule(String.raw`\bleast common multiple of (${LIST})`, "lcm($1)"),
  rule(String.raw`\b(?:cube root|third root)(?: of)?\s+(N)`, "cbrt($1)"),
  rule(String.raw`\b(?:square root|sqrt|root)(?: of)?\s+(N)`, "sqrt($1)"),
  rule(String.raw`\blog(?:arithm)?,? base (${NUMBER}),? of (N)`, "log($2, $1)"),
  rule(String.raw`\b(?:natural log(?:arithm)?|ln)(?: of)?\s+(N)`, "ln($1)"),
  rule(String.raw`\b(sin|cos|tan)(?:e|ine|gent)?(?: of)?\s+(${NUMBER})\s*(?:degrees?|deg|°)`, "$1($2 deg)"),
  rule(String.raw`\b(sin|cos|tan)(?:e|ine|gent)?(?: of)?\s+(N)`, "$1($2)"),
  rule(String.raw`\bfactorial of (N)`, "$1!"),
  rule(String.raw`(N)\s+factorial\b`, "$1!"),
  rule(String.raw`\bhalf of `, "1 / 2 * "),
  rule(String.raw`\b(?:1 )?third of `, "1 / 3 * "),
  rule(String.raw`\b(?:1 )?quarter of `, "1 / 4 * "),
  rule(String.raw`\b(?:twice|double) `, "2 * "),
  rule(String.raw`\b(?:triple) `, "3 * "),
  rule(String.raw`\s*\bsquared\b`, "^2"),
  rule(String.raw`\s*\bcubed\b`, "^3"),
  rule(String.raw`\s*\b(?:raised )?to the power(?: of)?\b`, " ^"),
  rule(String.raw`\bmultiplied (?:by|with)\b`, "*"),
  rule(String.raw`\bdivided by\b`, "/"),
  rule(String.raw`\bplus\b`, "+"),
  rule(String.raw`\bminus\b`, "-"),
  rule(String.raw`\btimes\b`, "*"),
  rule(String.raw`\bmodulo\b`, "mod"),
  rule(String.raw`\bover (?=[\d(])`, "/ "),
  rule(String.raw`(?<=[\d)])\s*[x×]\s*(?=[\d(-])`, " * "),
  rule(String.raw`\s*\b(?:percent|per cent)\b`, "%"),
];

const LEAD = leadingQuestion(
  "does|do|calculate|calc|compute|evaluate|work out|figure out|solve|simplify|find|result|value|answer|an?|of|to|be|" +
    "quickly|exactly|let's",
);
const TAIL = trailingFillers(
  "equals?|is|be|exactly|approximately|roughly|make|gives?|come to|worth|in total|altogether|do i get|what",
);

const NAMES =
  "sqrt|cbrt|abs|round|floor|ceil|exp|log10|log2|log|ln|asin|acos|atan|sinh|cosh|tanh|sin|cos|tan|min|max|mean|median|sum|prod|std|variance|gcd|lcm|factorial|combinations|permutations|pow|hypot";
/** The groups of a token: number, function, constant, sign, other operator, mark. */
const TOKEN = new RegExp(
  String.raw`\s*(?:(\d+(?:\.\d+)?(?:e[+-]?\d+)?|\.\d+)|((?:${NAMES}))(?=\s*\()|(pi|tau|phi|e|i|π)(?![a-z])|([-+−])|(\*\*|[*/^×÷·]|mod(?![a-z]))|([(),!%√²³°]|deg(?![a-z])|rad(?![a-z])))`,
  "iuy",
);

/** Returns the expression in a clause, if there is one. `previous` is what "that" and a leading "times 3" refer to. */
export function toExpression(clause: string, previous?: string): string | undefined {
  const stripped = stripFillers(withDigits(clause));
  const referred = previous === undefined ? stripped : withReference(stripped, asOperand(previous));
  const rewritten = RULES.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), referred);
  const expression = stripFillers(rewritten)
    .replace(/,?\s+and\s+(?=-?\d)/giu, ", ")
    .replace(/\s+/gu, " ");
  return isSum(expression) || isMeantAsSum(clause, expression) ? expression : undefined;
}

function stripFillers(text: string): string {
  return text.trim().replace(LEAD, "").replace(TAIL, "").trim();
}

/** Accepts "calculate 2 +", which is no expression: the calculator then says what is wrong with it. */
function isMeantAsSum(clause: string, expression: string): boolean {
  return (
    /^(?:please )?(?:calculate|compute|evaluate)\b/iu.test(clause) &&
    /^[-+(]*\d/u.test(expression) &&
    !/[a-z]{3}/iu.test(expression)
  );
}

/** Puts a value in parentheses if needed: "-3 squared" would be -9. */
function asOperand(value: string): string {
  return /^\d+(?:\.\d+)?$/u.test(value) ? value : `(${value})`;
}

function withReference(text: string, previous: string): string {
  const named = text.replace(/\b(?:that|it|this|the (?:previous )?(?:result|answer)|ans)\b/giu, previous);
  if (named !== text) return named;
  const leads =
    /^(?:[*/^×÷]|[-+] |(?:plus|minus|times|multiplied by|divided by|over|mod|modulo|squared|cubed|to the power)\b)/iu;
  return leads.test(text) ? `${previous} ${text}` : text;
}

function isSum(text: string): boolean {
  if (text.length > 300 || /^\d{4}-\d{1,2}-\d{1,2}$/u.test(text)) return false;
  const kinds = tokenKinds(text);
  if (!kinds || /00|oo|^o|[so]$/u.test(kinds) || /,/u.test(withoutGroups(kinds))) return false;
  return /[0c]/u.test(kinds) && /f|r|[0c)][!2]|[0cu)%!2][so]s*\(*[0cfr]/u.test(kinds);
}

function withoutGroups(kinds: string): string {
  const flat = kinds.replace(/\([^()]*\)/gu, "0");
  return flat === kinds ? kinds : withoutGroups(flat);
}

/** Codes tokens: number 0, function f, constant c, sign s, other operator o, root r, power 2, unit u, else itself. */
function tokenKinds(text: string): string | undefined {
  let kinds = "";
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const found = TOKEN.exec(text);
    if (!found) return undefined;
    kinds += kindOf(found);
  }
  return kinds;
}

function kindOf([, number, name, constant, sign, operator, mark = ""]: RegExpExecArray): string {
  if (number) return "0";
  if (name) return "f";
  if (constant) return "c";
  if (sign) return "s";
  if (operator) return "o";
  if (mark === "√") return "r";
  if (mark === "²" || mark === "³") return "2";
  return /^[(),!%]$/u.test(mark) ? mark : "u";
}
