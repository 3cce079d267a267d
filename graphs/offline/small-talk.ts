// Recognises remarks that need no tool. Pure.

export type SmallTalk = "greeting" | "thanks" | "farewell" | "wellbeing" | "identity" | "help" | "model";

/** The patterns of each kind of remark. Each matches a whole sentence. */
const REMARKS: Record<SmallTalk, string[]> = {
  greeting: [
    "(?:hi|hello|hey|hiya|howdy|yo|greetings|good (?:morning|afternoon|evening|day))(?: there| all| everyone| again| bot| graphlib)?",
  ],
  thanks: [
    "(?:ok(?:ay)?,? |great,? |cool,? |perfect,? |many )?(?:thanks?|thank you|thx|ty|cheers)(?: (?:a lot|so much|very much|again|for .{1,60}))?",
  ],
  farewell: ["good ?bye", "bye(?: bye)?", "see (?:you|ya)(?: later| soon)?", "good night"],
  wellbeing: ["how(?:'s it going| are (?:you|things)(?: doing| today)*| do you do)"],
  identity: [
    "(?:who|what)(?: exactly)? are you",
    "who(?:'s this| is this| made you| built you)",
    "what(?:'s| is) your name",
    "introduce yourself|tell me about yourself",
    "are you (?:an? )?(?:real |large )?(?:ai|bot|robot|human|person|llm|language model|chat ?gpt|gpt|claude|program)\\b.{0,30}",
    "(?:which|what) (?:ai |language )?(?:model|llm) (?:are you|is this|do you use|am i talking (?:to|with))",
  ],
  help: [
    "help(?: me)?|capabilities|commands",
    "what can (?:you|i)(?: \\w+)? (?:do|ask|help)(?: .{0,40})?",
    "what (?:do you do|are you (?:capable of|good at)|are your (?:capabilities|skills|tools))",
    "(?:which|what) tools (?:do you have|can you use)",
    "how (?:can|could) you help(?: me)?|how do you work",
  ],
  model: [
    "how (?:do|can|could|would|to)\\b.{0,30}\\b(?:set|use|connect|configure|choose|change|switch|select|plug)\\b.{0,30}\\b(?:model|llm|ollama|vllm|lm studio|openai|claude|anthropic|gpt)\\b.{0,30}",
    ".{0,80}\\bAGENT_MODEL\\b.{0,80}",
  ],
};

const PATTERNS = Object.entries(REMARKS).map(
  ([talk, remarks]) => [talk, new RegExp(`^(?:${remarks.join("|")})$`, "iu")] as const,
);

const GREETING =
  /^(?:hi|hello|hey|hiya|howdy|good (?:morning|afternoon|evening)|ok(?:ay)?|well|so|thanks|thank you|please|great)(?: there)?(?:\s*[,:]\s*|\s+(?=what|how|can|could|tell|convert|calculate|where|please|when|is\b))/iu;

export function toSmallTalk(clause: string): SmallTalk | undefined {
  const remark = clause
    .replace(/[\s.!,…:)(]+$/gu, "")
    .replace(/^[\s,]+/u, "")
    .replace(/,? please$/iu, "");
  const found = PATTERNS.find(([, pattern]) => pattern.test(remark))?.[0];
  return isSmallTalk(found) ? found : undefined;
}

function isSmallTalk(talk: string | undefined): talk is SmallTalk {
  return talk !== undefined && Object.hasOwn(REMARKS, talk);
}

/** Removes a greeting, because the question counts: "Hi, what is 2 + 2" is an arithmetic one. */
export function withoutGreeting(clause: string): string {
  return clause.replace(GREETING, "");
}
