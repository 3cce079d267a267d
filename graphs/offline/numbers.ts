// Turns numbers in words into digits. Pure.

const SMALL =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  );
const TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
const SCALE: Record<string, number> = { dozen: 12, hundred: 100, thousand: 1e3, million: 1e6, billion: 1e9 };

const TENS_AND_ONES = new RegExp(`\\b(${TENS.join("|")})(?:[\\s-](${SMALL.slice(1, 10).join("|")}))?\\b`, "giu");
const ONES = new RegExp(`\\b(${SMALL.join("|")})\\b`, "giu");
const SCALED = new RegExp(`\\b(\\d+(?:\\.\\d+)?|an?)\\s+(${Object.keys(SCALE).join("|")})\\b`, "giu");

/** Writes "twenty-five" as 25, "3 million" as 3000000 and "1,250" as 1250; everything else stays as it is. */
export function withDigits(text: string): string {
  return text
    .replace(/(?<![\d.,(])\d{1,3}(?:,\d{3})+(?![\d,])/gu, (number) => number.replaceAll(",", ""))
    .replace(TENS_AND_ONES, (_, tens: string, ones?: string) => String(tensOf(tens) + (ones ? onesOf(ones) : 0)))
    .replace(ONES, (word: string) => String(onesOf(word)))
    .replace(SCALED, (_, count: string, scale: string) => {
      const product = (/\d/u.test(count) ? Number(count) : 1) * (SCALE[scale.toLowerCase()] ?? 1);
      return Number.isSafeInteger(product) ? String(product) : `${count} * ${SCALE[scale.toLowerCase()]}`;
    });
}

function tensOf(word: string): number {
  return (TENS.indexOf(word.toLowerCase()) + 2) * 10;
}

function onesOf(word: string): number {
  return SMALL.indexOf(word.toLowerCase());
}
