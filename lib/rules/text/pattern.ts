/** Regular expressions of applications, matched in linear time: backtracking could block the whole server. */
import { RE2JS, RE2JSSyntaxException } from "re2js";

export interface Pattern {
  /** Returns whether the pattern matches the whole `text`, in time proportional to the text. */
  matches(text: string): boolean;
}

export interface PatternProblem {
  problem: string;
  fix: string;
}

/** The largest number of instructions of a pattern. The cost of each character is proportional to it. */
const LARGEST = 1_000;

/** Syntax of `RegExp` that a linear engine does not have, and what to write instead. */
const UNSUPPORTED: readonly (readonly [RegExp, string, string])[] = [
  [/\(\?<?[=!]/, "looks ahead or behind", "List what is allowed, as in https://(?:app|admin)\\.example\\.com."],
  [/\\[1-9]|\\k<|\(\?P=/, "refers back to a group", "Write the alternatives out: (?:aa|bb)."],
  [/\(\?>|[*+?}]\+/, "has a possessive or atomic group", "Write it as a plain one: nothing here backtracks."],
  [/\\u/, "has an escape \\u", "Write \\x{1F600} in place of \\u{1F600}."],
];

/** Parses a pattern in the syntax of RE2 (https://github.com/google/re2/wiki/Syntax). Total. */
export function readPattern(source: string): Pattern | PatternProblem {
  let pattern: RE2JS;
  try {
    pattern = RE2JS.compile(source);
  } catch (error) {
    const known = UNSUPPORTED.find(([form]) => form.test(source));
    if (known) return { problem: `it ${known[1]}, which patterns here can't`, fix: known[2] };
    const message = error instanceof RE2JSSyntaxException ? error.message.replace("error parsing regexp: ", "") : "";
    return { problem: message === "" ? "it is not a pattern" : message, fix: "Use the syntax of RE2." };
  }
  if (pattern.programSize() > LARGEST) {
    return { problem: "it repeats too much", fix: "Use smaller counts, or * and + in place of them." };
  }
  return { matches: (text) => pattern.testExact(text) };
}
