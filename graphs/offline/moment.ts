// Finds the place in a question about the time or the date. Pure.
import { findZone, isZone } from "../tools/places.ts";
import { leadingFillers } from "./fillers.ts";

const NOW = "right now|now|today|currently|at the moment";
/** The words that may follow the noun, in this order: "is it", "now", "in Tokyo", "now". */
const AT = String.raw`(?:\s+(?:it is|is it|it's))?(?:\s+(?:${NOW}))?(?:,?\s+(?:over |here )?(in|at|for)\s+(?:the\s+)?(.{2,60}?))?(?:\s+(?:${NOW}))?`;

const QUESTIONS = [
  "(?:what|which)(?:'s| is)?(?: the)?(?: current| exact| local| present)? (?:time|date|day|weekday|year|month|hour)(?: and (?:the )?(?:time|date|day))?(?: of (?:the )?(?:day|week|month))?",
  "(?:the |current |local |exact )*(?:time|date|day|clock)(?: and (?:time|date))?",
  "(?:today's|todays|the current|current) (?:date|day)",
  "what(?:'s| is)? (?:today|today's date|todays date|the date today|the day today)",
  "how late",
  "(?:what(?:'s| is) )?now",
].map((question) => new RegExp(`^${question}${AT}$`, "iu"));

/** Matches "Tokyo time". */
const PLACE_FIRST =
  /^(?:what(?:'s| is)\s+)?(?:the\s+)?(.{2,60}?)(?:'s)?(?:\s+(?:local|current))?\s+time(?:\s+(?:right )?now)?$/iu;

const LEAD = leadingFillers("do you know|show me|i want to know|say");

export type Moment = { place?: string };

/** Returns the place that is asked about; `{}` is "here". "And in Paris?" and "the date there" continue `previous`. */
export function toMoment(clause: string, previous?: Moment): Moment | undefined {
  const sentence = clause
    .replace(/[\s?.!,]+$/u, "")
    .trim()
    .replace(/,? please$/iu, "");
  const text = sentence.replace(LEAD, "").replace(/\s+(?:over )?there$/iu, "");
  for (const question of QUESTIONS) {
    const found = question.exec(text);
    const [, preposition, place] = found ?? [];
    if (place) return placeIn(place, preposition === "in");
    if (found) return /^and\b|\bthere$/iu.test(sentence) ? { ...previous } : {};
  }
  const [, place = ""] = PLACE_FIRST.exec(text) ?? [];
  if (isPlace(place)) return { place };
  return previous ? continued(text) : undefined;
}

/** Accepts an unknown place where one is meant: "What time is it in Atlantis" does, "time for lunch" does not. */
function placeIn(place: string, mayBeUnknown: boolean): Moment | undefined {
  if (/^(?:here|my (?:time ?)?zone|this (?:place|server|zone)|your (?:time ?)?zone)$/iu.test(place)) return {};
  if (isPlace(place)) return { place };
  // Two places are two questions.
  return mayBeUnknown && !/,|\band\b|\bor\b|\d{3}/iu.test(place) ? { place } : undefined;
}

function continued(text: string): Moment | undefined {
  const place = text
    .replace(/^(?:(?:what about|how about|about|and|or|in|at|for|the)\s+)+/iu, "")
    .replace(/\s+(?:then|too|as well|now)$/iu, "");
  return isPlace(place) ? { place } : undefined;
}

function isPlace(name: string): boolean {
  return findZone(name) !== undefined || (/^[A-Za-z]+\/[A-Za-z_/+-]+\d*$/u.test(name) && isZone(name));
}
