/** A choice that a person finds by typing. */
export interface Choice {
  readonly title: string;
  /** Further words that find it. A match in the title counts for more. */
  readonly keywords?: readonly string[];
}

const EXACT = 100;
const BOUNDARY = /[\s\-_/.:@]/;

/**
 * Returns the choices that match a query, best first. Each word of the query must occur in the title or a keyword, or its
 * letters in the title in this order (`nwd` finds "New deployment"). Equal matches keep their order, so a caller
 * lists the most recent first. An empty query matches all.
 */
export function rank<T extends Choice>(query: string, choices: readonly T[]): T[] {
  return choices
    .flatMap((choice) => {
      const score = matchScore(query, choice);
      return score === undefined ? [] : [{ choice, score }];
    })
    .toSorted((a, b) => b.score - a.score)
    .map(({ choice }) => choice);
}

/** Returns how well a choice matches, from 0 for an empty query; undefined if it does not match. */
export function matchScore(query: string, { title, keywords = [] }: Choice): number | undefined {
  const wanted = normalized(query);
  const name = normalized(title);
  if (wanted === "") return 0;
  if (wanted === name) return EXACT;
  const others = keywords.map(normalized);
  let sum = 0;
  const words = wanted.split(" ");
  for (const word of words) {
    const score = Math.max(titleScore(word, name), ...others.map((one) => keywordScore(word, one)));
    if (score === 0) return undefined;
    sum += score;
  }
  return sum / words.length;
}

const normalized = (text: string): string => text.toLowerCase().trim().replace(/\s+/g, " ");

function titleScore(word: string, title: string): number {
  const place = title.indexOf(word);
  if (place === 0) return 5;
  if (place > 0) return startsAWord(word, title) ? 4 : 3;
  return word.length > 1 && hasLetters(word, title) ? 0.5 : 0;
}

function keywordScore(word: string, keyword: string): number {
  if (!keyword.includes(word)) return 0;
  return startsAWord(word, keyword) ? 2 : 1;
}

function startsAWord(word: string, text: string): boolean {
  for (let place = text.indexOf(word); place !== -1; place = text.indexOf(word, place + 1))
    if (place === 0 || BOUNDARY.test(text.charAt(place - 1))) return true;
  return false;
}

/** Returns whether the letters of `word` occur in `text` in this order. */
function hasLetters(word: string, text: string): boolean {
  let from = 0;
  for (const letter of word) {
    const place = text.indexOf(letter, from);
    if (place === -1) return false;
    from = place + letter.length;
  }
  return true;
}
