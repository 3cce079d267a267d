// Finds a value and two units in a conversion in words. Pure.
import { findUnit, isCurrency } from "../tools/units.ts";
import { leadingQuestion, trailingFillers } from "./fillers.ts";
import { withDigits } from "./numbers.ts";

export type Conversion = { value: number; from: string; to: string };

type Quantity = { value: number; unit: string };

const LEAD = leadingQuestion(
  "how (?:far|long|heavy|tall|hot|cold|big|fast)|convert|change|turn|translate|calculate|express",
);
const TAIL = trailingFillers("units?");

/** Returns the conversion in a clause. `previous` is what "and in miles?" or "and 20 kg?" continue. */
export function toConversion(clause: string, previous?: Conversion): Conversion | undefined {
  const wasAskedFor = /\bconvert\b/iu.test(clause);
  const text = withDigits(clause).trim().replace(LEAD, "").replace(TAIL, "").trim();
  return (
    fromSentence(text, wasAskedFor) ??
    fromHowMany(text) ??
    fromUnitPair(text) ??
    (previous && continued(text, previous))
  );
}

/** Reads "10 km to miles", "72F in C", "5 kg = ? lb", "$100 in EUR". */
function fromSentence(text: string, wasAskedFor: boolean): Conversion | undefined {
  const separator = /\s+(?:to|into|in|as)(?=\s)|\s*(?:->|→|=\s*\?*)\s*/giu;
  for (const { 0: found, index } of text.matchAll(separator)) {
    const quantity = toQuantity(text.slice(0, index), wasAskedFor);
    const to = toUnit(text.slice(index + found.length), wasAskedFor);
    if (quantity && to) return { value: quantity.value, from: quantity.unit, to };
  }
  return undefined;
}

/** Reads "how many feet are in a mile", of which the first two words are gone by now. */
function fromHowMany(text: string): Conversion | undefined {
  const [, unit, amount] =
    /^(.{1,40}?)\s+(?:(?:are|is)\s+)?(?:there\s+)?(?:in|is|are|make|makes|equals?)\s+(.{1,60})$/iu.exec(text) ?? [];
  const to = unit && toUnit(unit, false);
  const quantity = amount && toQuantity(amount, false);
  return to && quantity ? { value: quantity.value, from: quantity.unit, to } : undefined;
}

/** Reads "km to miles" as a conversion of one. */
function fromUnitPair(text: string): Conversion | undefined {
  const [, first = "", second = ""] = /^(.{2,40}?)\s+(?:to|into)\s+(.{1,40})$/iu.exec(text) ?? [];
  const from = toUnit(first, false);
  const to = toUnit(second, false);
  return from && to ? { value: 1, from, to } : undefined;
}

/** Reads "in feet", "what about 20 miles", "the same in Fahrenheit". */
function continued(text: string, previous: Conversion): Conversion | undefined {
  const rest = text
    .replace(/^(?:what about|how about|about|and|the same|same|that|it|in|to|into|as|again|\s)+\b/iu, "")
    .trim();
  const to = toUnit(rest, false);
  if (to) return { ...previous, to };
  const quantity = toQuantity(rest, false);
  return quantity && { value: quantity.value, from: quantity.unit, to: previous.to };
}

/** Reads a number and a unit, in either order for money. Unknown units count only if the person said "convert". */
function toQuantity(text: string, anyUnit: boolean): Quantity | undefined {
  const amount = text
    .trim()
    .replace(/^(?:half an?|a half|half)\s+/iu, "0.5 ")
    .replace(/^(?:an?|one)\s+/iu, "1 ")
    .replace(/^[$€£¥₹]\s*(\d+(?:\.\d+)?)$/u, (all, number: string) => `${number} ${all.trim().charAt(0)}`)
    .replace(/^(?:minus|negative)\s+/iu, "-")
    .replace(/^−/u, "-");
  const [, number, name = ""] = /^([-+]?(?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?)\s*(\D.{0,40})$/iu.exec(amount) ?? [];
  const unit = toUnit(name, anyUnit);
  return number && unit ? { value: Number(number), unit } : undefined;
}

function toUnit(text: string, anyUnit: boolean): string | undefined {
  const name = text.trim().replace(/^(?:the|an?)\s+/iu, "");
  if (findUnit(name) || isCurrency(name)) return name;
  return anyUnit && /^[\p{L}°µ][\p{L}\d°µ^*/ ]{0,39}$/u.test(name) && !/\s(?:to|in|and|into)\s/iu.test(name)
    ? name
    : undefined;
}
