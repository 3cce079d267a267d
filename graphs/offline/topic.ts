// Turns a question about this project into a query for its documentation. Pure.

const EXPLICIT =
  /^(?:(?:please|can you|could you)\s+)?(?:search|look up|look for|look in|find|grep|check)(?:\s+(?:in\s+)?(?:the\s+)?(?:docs?|documentation|manual|readme))?(?:\s+(?:for|about|on))?\s+(.{2,300})$/iu;
const ABOUT =
  /^(?:(?:please|can you|could you)\s+)?(?:explain|describe|define|tell me (?:about|how|what|where|why|when|which)|show me how|show me where|(?:docs?|documentation|manual|info|information) (?:on|about|for)|more (?:on|about)|i (?:want|need|would like) to know (?:about|how|what|where|why)?)\s+(.{2,300})$/iu;
const QUESTION =
  /^(?:how|what|what's|whats|where|where's|why|when|which|who|is there|are there|does|do|can i|can it|can we|can graphlib|could i|is it|is graphlib|should|may i|must i|will it|is|are)\b(.{2,300})$/iu;
/** The words of this project, with one of which a bare topic is a question, too. */
const OURS =
  /\b(?:graphlib|deploy(?:ment|ments|ing|ed)?|threads?|runs?|assistants?|graphs?|stream(?:s|ing)?|a2a|agent cards?|webhooks?|crons?|checkpoint(?:s|er)?|interrupts?|api keys?|console|workers?|revisions?|graphlib\.json|langgraph|sse|sdk|endpoints?|benchmarks?|sqlite|postgres(?:ql)?|redis)\b/iu;
const SMALL_WORDS =
  /\b(?:please|the|a|an|is|are|do|does|of|in|to|i|you|me|it|what|how|where|why|when|which|who|and|documented|documentation|docs)\b/giu;

/** Returns whether a clause begins a question, or continues the one before ("how do I build and start it"). */
export function startsQuestion(clause: string): boolean {
  const text = clause.trim();
  return QUESTION.test(text) || EXPLICIT.test(text) || ABOUT.test(text);
}

export function toTopic(clause: string): string | undefined {
  const text = clause.replace(/[\s?.!,]+$/u, "").trim();
  const query =
    EXPLICIT.exec(text)?.[1] ?? ABOUT.exec(text)?.[1] ?? (QUESTION.test(text) || isOurs(text) ? text : undefined);
  const words = query?.replace(SMALL_WORDS, " ").replace(/[^\p{L}]/gu, "") ?? "";
  return words.length > 1
    ? query?.replace(/\s+in (?:the|your) (?:docs?|documentation|manual)$/iu, "").slice(0, 300)
    : undefined;
}

function isOurs(text: string): boolean {
  return OURS.test(text) && text.split(/\s+/u).length <= 6;
}
