// Matches the small words around a question. Pure.

const POLITE = "please|can|could|would|will|you|tell me|and|also|then|now|give me|i need|i want|i would like";
const ASKING = "what's|whats|what|how much|how many|is|are|the";

/** Matches filler words at the start: the polite ones and `more`, an alternation such as "convert|change". */
export function leadingFillers(more: string): RegExp {
  return new RegExp(`^(?:(?:${more}|${POLITE})(?:[\\s:,]+|$))+`, "iu");
}

/** Matches the same words, and those that open a question. */
export function leadingQuestion(more: string): RegExp {
  return leadingFillers(`${more}|${ASKING}`);
}

/** Matches signs and filler words at the end. */
export function trailingFillers(more: string): RegExp {
  return new RegExp(String.raw`(?:\s*(?:[=?.:,]|(?<![a-z])(?:please|for me|thanks|thank you|now|${more})))+\s*$`, "iu");
}
